import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useFailureText } from '../../../lib/failure-text'
import { formatNumber } from '../../../lib/format'
import { type DeviceRollout, useDeviceRollout, useStartRollout, useStopRollout } from '../api/devices'
import { useErrorText } from './device-state'

const isOver = ({ state, num_done, num_devices }: DeviceRollout) =>
  state === 'stopped' || (state === 'everywhere' && num_done >= num_devices)

/** How the newest rollout gets on; nothing once it is over. */
export function RolloutBanner({ project, canChange }: { project: string; canChange: boolean }) {
  const { t } = useTranslation('devices')
  const rollout = useDeviceRollout(project).data
  const stop = useStopRollout(project)
  const start = useStartRollout(project)
  if (!rollout || isOver(rollout)) return null
  const { artefact, gallery, state, first } = rollout
  const title = gallery
    ? t('rollout.of_gallery', { number: artefact.number, name: gallery.name })
    : t('rollout.of', { number: artefact.number })
  const again = {
    artefact: artefact.id,
    gallery: gallery?.id ?? null,
    first: rollout.first_id,
    allows_other_labels: rollout.allows_other_labels,
  }
  return (
    <Alert mb="md" color={state === 'failed' ? 'red' : 'accent'} title={title}>
      <Group justify="space-between">
        <RolloutText rollout={rollout} />
        {state === 'first' && canChange && (
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate(undefined)}>
            {t('rollout.stop')}
          </Button>
        )}
        {state === 'failed' && canChange && (
          <Button size="xs" variant="default" loading={start.isPending} onClick={() => start.mutate(again)}>
            {first === null ? t('rollout.again_everywhere') : t('rollout.again', { device: first })}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

function RolloutText({ rollout }: { rollout: DeviceRollout }) {
  const { t } = useTranslation('devices')
  const failureText = useFailureText()
  const errorText = useErrorText()
  const { build_error: buildError, error, state, first } = rollout
  const counts = t('rollout.counts', { done: formatNumber(rollout.num_done), all: formatNumber(rollout.num_devices) })
  const failure = buildError && failureText(buildError)
  const reason = failure ? `${failure.message} ${failure.hint}` : error && `${errorText(error)}.`
  return (
    <Text size="sm">
      {t(`rollout.state.${failure ? 'not_built' : state}`, { device: first ?? '' })} {reason} {counts}
    </Text>
  )
}
