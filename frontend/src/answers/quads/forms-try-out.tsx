import { Anchor, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { api, data } from '../../lib/api/client'
import type { Answer } from '../../lib/api/answer'
import { send } from '../../lib/api/raw'
import { ErrorState } from '../../ui/error-state'
import { FormReading } from '../../ui/forms/form-reading'
import { LoadingState } from '../../ui/loading-state'
import { PictureField } from '../../ui/picture-field'
import { Section } from '../../ui/section'
import { SampleButton } from '../../ui/try-out/sample-button'
import { pictureOf } from '../../ui/try-out/use-sample'
import type { FurtherTryOutProps } from '../kind'

/** Takes the template that fits. No slug begins so. */
const AUTOMATIC = '*'

/** Reads a form by one of the project's templates, the way the deployment's customers do. */
export default function FormsTryOut({ deployment }: FurtherTryOutProps) {
  const { t } = useTranslation('templates')
  const templates = useServedTemplates(deployment.project)
  const isRunning = deployment.state === 'running'
  return (
    <Section title={t('deployed.title')} help={isRunning ? t('deployed.help') : t('deployments:try.not_running')}>
      {templates.isPending && <LoadingState rows={2} height={40} />}
      {templates.isLoadingError && <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />}
      {templates.data?.length === 0 && (
        <Text size="sm">
          {t('deployed.none')}{' '}
          <Anchor component={Link} to={`/projects/${deployment.project}/templates`} size="sm">
            {t('deployed.to_templates')}
          </Anchor>
        </Text>
      )}
      {templates.data && templates.data.length > 0 && (
        <Reader deployment={deployment.id} templates={templates.data} isRunning={isRunning} />
      )}
    </Section>
  )
}

interface ReaderProps {
  deployment: string
  templates: readonly Answer<'TemplateOut'>[]
  isRunning: boolean
}

function Reader({ deployment, templates, isRunning }: ReaderProps) {
  const { t } = useTranslation('templates')
  const [template, setTemplate] = useState(AUTOMATIC)
  const [picture, setPicture] = useState<File | null>(null)
  const read = useReadDeployed(deployment)
  const ask = (file: File | null, slug: string) => {
    setPicture(file)
    setTemplate(slug)
    if (file && isRunning) read.mutate({ file, template: slug })
  }
  const url = useMemo(() => (picture ? URL.createObjectURL(picture) : null), [picture])
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  const form = read.data?.forms[0]
  return (
    <Stack gap="sm">
      <Select
        label={t('deployed.template')}
        description={template === AUTOMATIC ? t('deployed.automatic_help') : undefined}
        maw={420}
        allowDeselect={false}
        data={[
          { value: AUTOMATIC, label: t('deployed.automatic') },
          ...templates.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` })),
        ]}
        value={template}
        onChange={(slug) => slug && ask(picture, slug)}
      />
      <div>
        <PictureField
          label={t('try.drop')}
          picture={picture}
          onPicture={(file) => ask(file, template)}
          hasPreview={false}
          isDisabled={!isRunning}
        />
        <SampleButton isDisabled={!isRunning} read={pictureOf} onSample={(file) => ask(file, template)} />
      </div>
      <div aria-live="polite">
        {read.isPending && <LoadingState rows={3} height={40} />}
        {read.isError && <ErrorState error={read.error} />}
        {form && url && (
          <Stack gap="xs">
            <Text size="sm">
              {t('deployed.read_by', { name: templates.find(({ slug }) => slug === form.template)?.name ?? form.template })}
            </Text>
            <FormReading form={form} url={url} />
          </Stack>
        )}
      </div>
    </Stack>
  )
}

/** Those that are complete: deployments answer by no others. */
function useServedTemplates(project: string) {
  return useQuery({
    queryKey: ['templates', 'served', project],
    queryFn: () => data(api.GET('/api/projects/{project}/templates', { params: { path: { project }, query: { limit: 100 } } })),
    select: (page) => page.items.filter(({ is_complete }) => is_complete),
  })
}

/** The panel shows the error. */
function useReadDeployed(deployment: string) {
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: ({ file, template }: { file: File; template: string }) => {
      const body = new FormData()
      body.append('file', file)
      const query = template === AUTOMATIC ? '' : `?${new URLSearchParams({ template }).toString()}`
      return send<Answer<'DeployedFormsOut'>>(`/api/deployments/${deployment}/fields${query}`, { method: 'POST', body })
    },
  })
}
