import { Badge, Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { RelativeTime } from '../../../ui/relative-time'
import type { Device } from '../api/devices'

const COLORS: Record<Device['state'], string> = {
  waiting: 'gray',
  online: 'teal',
  starting: 'accent',
  updating: 'accent',
  failed: 'red',
  offline: 'gray',
}

/** Words why a device gave something up. */
export function useErrorText(): (error: NonNullable<Device['error']>) => string {
  const { t } = useTranslation('devices')
  return ({ code, detail }) => t(`error.${code}`, { defaultValue: detail || code })
}

/** How a device is, since when it was heard of, and why its update failed. */
export function DeviceState({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const errorText = useErrorText()
  const isMoving = device.state === 'updating' || device.state === 'starting'
  return (
    <>
      <Badge color={COLORS[device.state]} leftSection={isMoving ? <Loader size={8} color="currentColor" /> : undefined}>
        {t(`state.${device.state}`)}
      </Badge>
      <Text size="xs" c="dimmed">
        {device.last_seen_at ? <RelativeTime value={device.last_seen_at} /> : t('never_seen')}
      </Text>
      {device.error && (
        <Text size="xs" c="red" title={device.error.detail}>
          {errorText(device.error)}
        </Text>
      )}
    </>
  )
}
