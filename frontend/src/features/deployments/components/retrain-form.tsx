import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { type Retrain, useSetRetrain } from '../api/retraining'
import { LimitSwitch } from './limit-switch'

interface RetrainFormProps {
  deployment: string
  retrain: Retrain
  onSaved: () => void
}

/** When to train again, and whether the new model is tried by itself. */
export function RetrainForm({ deployment, retrain, onSaved }: RetrainFormProps) {
  const { t } = useTranslation('deployments')
  const say = useLocalText()
  const set = useSetRetrain(deployment)
  const [choices, setChoices] = useState(
    retrain.reasons.map(({ reason, is_on, limit }) => ({ reason, is_on, limit: limit.value as number | null })),
  )
  const [startsRollout, setStartsRollout] = useState(retrain.starts_rollout)
  const change = (reason: string, changes: { is_on?: boolean; limit?: number | null }) =>
    setChoices((before) => before.map((each) => (each.reason === reason ? { ...each, ...changes } : each)))
  const save = () =>
    afterMutation(set.mutateAsync({ reasons: choices, starts_rollout: startsRollout }, { onSuccess: onSaved }), () =>
      notifyDone(t('retrain.saved')),
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="sm">
        <Stack gap="xs" role="group" aria-label={t('retrain.reasons')}>
          <Text size="sm" fw={600}>
            {t('retrain.reasons')}
          </Text>
          {retrain.reasons.map(({ reason, title, limit }) => {
            const choice = choices.find((each) => each.reason === reason)
            return (
              <LimitSwitch
                key={reason}
                title={say(title)}
                isOn={choice?.is_on ?? false}
                limit={{ label: say(limit.label), least: limit.least, most: limit.most, value: choice?.limit ?? null }}
                onSwitch={(is_on) => change(reason, { is_on })}
                onLimit={(value) => change(reason, { limit: value })}
              />
            )
          })}
        </Stack>
        <Switch
          label={t('retrain.starts_rollout')}
          description={t('retrain.starts_rollout_help')}
          checked={startsRollout}
          onChange={(event) => setStartsRollout(event.currentTarget.checked)}
        />
        {set.isError && <ErrorState error={set.error} />}
        <Group>
          <Button type="submit" loading={set.isPending}>
            {t('retrain.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
