import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatLatency } from '../../../charts/format/format'
import { formatNumber } from '../../../lib/format'
import type { Column } from '../../../ui/data-table'
import type { Device } from '../api/devices'
import { DeviceActions } from './device-actions'
import { DeviceState } from './device-state'

/** What the list says of a device. */
export function useDeviceColumns(canChange: boolean): Column<Device>[] {
  const { t } = useTranslation('devices')
  const columns: Column<Device>[] = [
    {
      key: 'name',
      title: t('column.name'),
      sortValue: ({ name }) => name,
      render: (device) => (
        <>
          <Text size="sm" fw={600} truncate>
            {device.name}
          </Text>
          <Text size="xs" c="dimmed" truncate title={device.facts.system}>
            {[device.facts.machine, device.facts.cores && t('cores', { count: Number(device.facts.cores) })].filter(Boolean).join(' · ')}
          </Text>
        </>
      ),
    },
    {
      key: 'state',
      title: t('column.state'),
      width: 190,
      sortValue: ({ state }) => state,
      render: (device) => <DeviceState device={device} />,
    },
    { key: 'model', title: t('column.model'), width: 170, render: (device) => <ModelCell device={device} /> },
    { key: 'latency', title: t('column.latency'), width: 130, align: 'right', render: ({ use }) => <LatencyCell use={use} /> },
    { key: 'calls', title: t('column.calls'), width: 120, align: 'right', render: ({ use }) => <CallsCell use={use} /> },
    { key: 'feedback', title: t('column.feedback'), width: 120, render: (device) => <FeedbackCell device={device} /> },
  ]
  if (canChange) columns.push({ key: 'actions', title: '', width: 50, render: (device) => <DeviceActions device={device} /> })
  return columns
}

function ModelCell({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  return (
    <>
      {device.artefact ? (
        <Anchor component={Link} to={`/projects/${device.project}/models/${device.artefact.id}`} size="sm">
          {t('model', { number: device.artefact.number })}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          {t('model_unknown')}
        </Text>
      )}
      {device.attached.map(({ kind, name, is_behind }) => (
        <Text key={kind} size="xs" c={is_behind ? 'orange.8' : 'dimmed'}>
          {t(`attached.${kind}.${is_behind ? 'is_behind' : 'of'}`, { name: name ?? t('deleted') })}
        </Text>
      ))}
      {device.assigned && (
        <Text size="xs" c="dimmed">
          {t(device.assigned.id === device.artefact?.id ? 'assigned_again' : 'assigned', { number: device.assigned.number })}
          {device.assigned_gallery && ` · ${t('attached.gallery.of', { name: device.assigned_gallery.name })}`}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {device.backend}
      </Text>
    </>
  )
}

function LatencyCell({ use }: Pick<Device, 'use'>) {
  if (use.p50_ms === null || use.p95_ms === null) return <>–</>
  return (
    <>
      {formatLatency(use.p50_ms)} / {formatLatency(use.p95_ms)}
    </>
  )
}

function CallsCell({ use }: Pick<Device, 'use'>) {
  const { t } = useTranslation('devices')
  return (
    <>
      <Text size="sm">{formatNumber(use.num_calls)}</Text>
      {use.num_failed > 0 && (
        <Text size="xs" c="red">
          {t('num_failed', { count: use.num_failed })}
        </Text>
      )}
    </>
  )
}

function FeedbackCell({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const dropped = device.num_dropped.item + device.num_dropped.usage
  return (
    <>
      <Text size="sm">{t(device.sends_inputs ? 'inputs.is_on' : 'inputs.is_off')}</Text>
      {device.num_waiting > 0 && (
        <Text size="xs" c="dimmed">
          {t('num_waiting', { count: device.num_waiting })}
        </Text>
      )}
      {dropped > 0 && (
        <Text size="xs" c="orange">
          {t('num_dropped', { count: dropped })}
        </Text>
      )}
    </>
  )
}
