import { Button, Group, Modal, NumberInput, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { useModelChoices } from '../../../lib/project/choices'
import { useStartRollout } from '../api/traffic'
import type { Deployment } from '../api/types'
import { MARGINS, type Measure, type RolloutForm, stepsOf, toRolloutRequest } from '../model/rollout-form'
import { useModelLabel } from './model-label'

interface RolloutDialogProps {
  deployment: Deployment
  /** Chosen already. */
  candidate?: string
  onClose: () => void
}

/** Which model should take over, in which steps, and what decides. */
export function RolloutDialog({ deployment, candidate, onClose }: RolloutDialogProps) {
  const { t } = useTranslation('deployments')
  const nameOf = useModelLabel(deployment.project)
  const models = (useModelChoices(deployment.project).data ?? []).filter((model) => model.id !== deployment.artefact)
  const start = useStartRollout(deployment.id)
  const [form, setForm] = useState<RolloutForm>({
    candidate: candidate ?? deployment.models[1]?.artefact ?? '',
    measure: 'feedback',
    steps: '5, 20, 50',
    step_minutes: 60,
    margin: MARGINS.feedback,
  })
  const change = (changes: Partial<RolloutForm>) => setForm((before) => ({ ...before, ...changes }))
  const request = toRolloutRequest(form)
  const submit = () => request && afterMutation(start.mutateAsync(request, { onSuccess: onClose }), () => notifyDone(t('rollout.started')))
  return (
    <Modal opened onClose={onClose} title={t('rollout.start')} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t('rollout.text')}
          </Text>
          <Select
            data-autofocus
            label={t('rollout.candidate')}
            placeholder={t(models.length ? 'traffic.choose' : 'traffic.no_other')}
            searchable
            value={form.candidate || null}
            data={models.map((model) => ({ value: model.id, label: nameOf(model.id) }))}
            onChange={(candidate) => change({ candidate: candidate ?? '' })}
          />
          <Radio.Group
            label={t('rollout.measure.title')}
            value={form.measure}
            onChange={(value) => change({ measure: value as Measure, margin: MARGINS[value as Measure] })}
          >
            <Stack gap={8} mt={6}>
              {(['feedback', 'errors'] as const).map((measure) => (
                <Radio
                  key={measure}
                  value={measure}
                  label={t(`rollout.measure.${measure}`)}
                  description={t(`rollout.measure.${measure}_help`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <StepFields form={form} onChange={change} />
          {start.isError && <ErrorState error={start.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" disabled={request === null} loading={start.isPending}>
              {t('rollout.start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function StepFields({ form, onChange }: { form: RolloutForm; onChange: (changes: Partial<RolloutForm>) => void }) {
  const { t } = useTranslation('deployments')
  return (
    <Group align="flex-start" grow>
      <TextInput
        label={t('rollout.steps')}
        description={t('rollout.steps_help')}
        value={form.steps}
        error={stepsOf(form.steps) === null && t('rollout.steps_problem')}
        onChange={(event) => onChange({ steps: event.currentTarget.value })}
      />
      <NumberInput
        label={t('rollout.minutes')}
        description={t('rollout.minutes_help')}
        min={1}
        max={43_200}
        allowDecimal={false}
        value={form.step_minutes}
        onChange={(value) => onChange({ step_minutes: Number(value) || 1 })}
      />
      <NumberInput
        label={t('rollout.margin')}
        description={t('rollout.margin_help')}
        min={0}
        max={50}
        decimalScale={1}
        value={form.margin}
        onChange={(value) => onChange({ margin: Number(value) || 0 })}
      />
    </Group>
  )
}
