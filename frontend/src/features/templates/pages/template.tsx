import { Button, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'

import { useHasRole } from '../../../lib/session/session'
import { confirm } from '../../../ui/confirm'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { type TemplateDetail, useDeleteTemplate, useTemplate } from '../api/templates'
import { CallPanel } from '../components/call-panel'
import { TemplateEditor } from '../components/template-editor'
import { TryPanel } from '../components/try-panel'

/** One template: mark it, try it, call it. */
export function Component() {
  const { template: id = '' } = useParams()
  const { t } = useTranslation('templates')
  const template = useTemplate(id)
  const canChange = useHasRole('engineer')
  if (template.isPending) return <LoadingPage />
  if (template.isLoadingError) return <ErrorState error={template.error} onRetry={() => void template.refetch()} />
  const { data } = template
  if (!data) return null
  return (
    <>
      <PageHeader
        name={data.name}
        title={data.name}
        subtitle={t('subtitle', { slug: data.slug, version: data.version })}
        actions={canChange && <DeleteButton template={data} />}
      />
      <Stack>
        <div>
          <TemplateEditor key={data.id} template={data} canChange={canChange} />
        </div>
        {data.is_complete && <TryPanel template={data} />}
        {data.is_complete && <CallPanel template={data} />}
      </Stack>
    </>
  )
}

function DeleteButton({ template: { id, name, project } }: { template: TemplateDetail }) {
  const { t } = useTranslation('templates')
  const navigate = useNavigate()
  const remove = useDeleteTemplate(id)
  const ask = () =>
    confirm({
      title: t('delete_title', { name }),
      children: t('delete_text'),
      confirm: t('delete'),
      isDangerous: true,
      onConfirm: () => remove.mutate(undefined, { onSuccess: () => void navigate(`/projects/${project}/templates`) }),
    })
  return (
    <Button variant="default" leftSection={<IconTrash size={16} />} loading={remove.isPending} onClick={ask}>
      {t('delete')}
    </Button>
  )
}
