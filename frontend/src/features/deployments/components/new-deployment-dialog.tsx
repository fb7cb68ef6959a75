import { Button, Modal, NumberInput, Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { usePresetModel } from '../../../lib/project/best-models'
import { useProject } from '../../../lib/project/project'
import { slugOf } from '../../../lib/slug'
import { DialogFoot } from '../../../ui/dialog-foot'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { useCreateDeployment } from '../api/change-deployment'
import type { KeepInputs } from '../api/types'
import { type DeploymentForm, deploymentProblems, toDeploymentRequest } from '../model/deployment-form'
import { ModelSelect } from '../../../ui/model-select'

interface NewDeploymentDialogProps {
  project: string
  /** The model to start with; empty for the one that one would use. */
  artefact: string
  onClose: () => void
}

const KEEPS: readonly KeepInputs[] = ['none', 'uncertain', 'all']

/** Which model, under which name, and what happens to the pictures that are sent. */
export function NewDeploymentDialog({ project, artefact, onClose }: NewDeploymentDialogProps) {
  const { t } = useTranslation('deployments')
  const navigate = useNavigate()
  const { name: projectName = '', task = '' } = useProject().data ?? {}
  const suggested = (name: string) => slugOf(name, task)
  const { hasUncertainty } = useAnswerKind()
  const preset = usePresetModel(project)
  const create = useCreateDeployment()
  const [wasSent, setSent] = useState(false)
  // The project may come after the dialog, where the page was opened by its address.
  const [changed, setChanged] = useState<Partial<DeploymentForm>>({})
  const form: DeploymentForm = {
    artefact: artefact || (preset ?? ''),
    name: projectName,
    slug: suggested(projectName),
    keep_inputs: 'none',
    retention_days: 30,
    ...changed,
  }
  const change = (changes: Partial<DeploymentForm>) => setChanged((before) => ({ ...before, ...changes }))
  const problems = deploymentProblems(form)
  const refused = fieldErrors(create.error)
  const errorOf = (name: keyof DeploymentForm) => {
    const problem = problems[name]
    return (wasSent && problem && t(problem)) || refused[name]
  }
  const submit = () => {
    setSent(true)
    if (Object.keys(problems).length) return
    create.mutate(toDeploymentRequest(project, form), {
      onSuccess: (deployment) => {
        notifyDone(t('form.done', { name: deployment.name }))
        void navigate(`/projects/${project}/deployments/${deployment.id}`)
      },
    })
  }
  return (
    <Modal opened onClose={onClose} title={t('form.title')} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <ModelSelect
            project={project}
            value={form.artefact}
            error={errorOf('artefact')}
            onChange={(chosen) => change({ artefact: chosen })}
          />
          <TextInput
            data-autofocus
            label={t('form.name')}
            maxLength={120}
            value={form.name}
            error={errorOf('name')}
            onChange={(event) => {
              const name = event.currentTarget.value
              change({ name, ...(form.slug === suggested(form.name) && { slug: suggested(name) }) })
            }}
          />
          <TextInput
            label={t('form.slug')}
            description={t('form.slug_help', { slug: form.slug || '…' })}
            value={form.slug}
            error={errorOf('slug')}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onChange={(event) => change({ slug: event.currentTarget.value })}
          />
          <Radio.Group
            label={t('form.keep_inputs')}
            value={form.keep_inputs}
            error={errorOf('keep_inputs')}
            onChange={(value) => change({ keep_inputs: value as KeepInputs })}
          >
            <Stack gap={8} mt={6}>
              {KEEPS.filter((keep) => hasUncertainty || keep !== 'uncertain').map((keep) => (
                <Radio key={keep} value={keep} label={t(`form.keep.${keep}`)} description={t(`form.keep.${keep}_help`)} />
              ))}
            </Stack>
          </Radio.Group>
          <NumberInput
            label={t('form.retention')}
            description={t('form.retention_help')}
            min={1}
            max={3650}
            allowDecimal={false}
            styles={{ wrapper: { width: 120 } }}
            value={form.retention_days}
            error={errorOf('retention_days')}
            onChange={(value) => change({ retention_days: Number(value) || 30 })}
          />
          {create.isError && !isShownByFields(create.error, Object.keys(form)) && <ErrorState error={create.error} />}
          <DialogFoot>
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('form.submit')}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Modal>
  )
}
