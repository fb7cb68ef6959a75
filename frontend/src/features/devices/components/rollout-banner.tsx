import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../lib/format'
import { type DeviceRollout, useDeviceRollout, useStopRollout } from '../api/devices'

const isOver = ({ state, num_done, num_devices }: DeviceRollout) =>
  state === 'stopped' || (state === 'everywhere' && num_done >= num_devices)

/** How the newest rollout gets on; nothing once it is over. */
export function RolloutBanner({ project, canChange }: { project: string; canChange: boolean }) {
  const { t } = useTranslation('devices')
  const rollout = useDeviceRollout(project).data
  const stop = useStopRollout(project)
  if (!rollout || isOver(rollout)) return null
  const counts = t('rollout.counts', { done: formatNumber(rollout.num_done), all: formatNumber(rollout.num_devices) })
  const { artefact, gallery } = rollout
  const title = gallery
    ? t('rollout.of_gallery', { number: artefact.number, name: gallery.name })
    : t('rollout.of', { number: artefact.number })
  return (
    <Alert mb="md" color={rollout.state === 'failed' ? 'red' : 'accent'} title={title}>
      <Group justify="space-between">
        <Text size="sm">
          {t(`rollout.state.${rollout.state}`, { device: rollout.first ?? '' })} {counts}
        </Text>
        {rollout.state === 'first' && canChange && (
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate(undefined)}>
            {t('rollout.stop')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
