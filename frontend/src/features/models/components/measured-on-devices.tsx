import { Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount, formatLatency } from '../../../charts/format/format'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import type { Answer } from '../../../lib/api/answer'
import { useMeasurements } from '../api/measurements'
import type { Artefact } from '../api/types'

type Measurement = Answer<'MeasurementOut'>

/** What `bench` of a package measured on other machines. */
export function MeasuredOnDevices({ artefact }: { artefact: Artefact }) {
  const { t } = useTranslation('models')
  return (
    <Section title={t('measured.title')} help={t('measured.help')}>
      <Figures artefact={artefact} />
    </Section>
  )
}

function Figures({ artefact }: { artefact: Artefact }) {
  const { t } = useTranslation('models')
  const measured = useMeasurements(artefact.id)
  const columns = useColumns()
  if (measured.isPending) return <LoadingState rows={2} />
  if (measured.isLoadingError) return <ErrorState error={measured.error} onRetry={() => void measured.refetch()} />
  if (!measured.data.length)
    return (
      <Text size="sm" c="dimmed">
        {t('measured.empty')} <Code>./start bench --send {window.location.origin} --key …</Code>
      </Text>
    )
  return <DataTable caption={t('measured.title')} columns={columns} rows={measured.data} rowKey={({ id }) => id} />
}

function useColumns(): Column<Measurement>[] {
  const { t } = useTranslation('models')
  const latency = (key: 'p50_ms' | 'p95_ms' | 'p99_ms', title: string): Column<Measurement> => ({
    key,
    title,
    width: 90,
    align: 'right',
    render: (row) => formatLatency(row[key]),
  })
  return [
    {
      key: 'device',
      title: t('measured.device'),
      render: ({ device, backend, environment }) => (
        <>
          <Text size="sm">{device}</Text>
          <Text size="xs" c="dimmed" title={environment}>
            {backend}
          </Text>
        </>
      ),
    },
    latency('p50_ms', 'p50'),
    latency('p95_ms', 'p95'),
    latency('p99_ms', 'p99'),
    { key: 'rate', title: t('measured.per_second'), width: 120, align: 'right', render: (row) => formatAmount(row.per_second) },
    {
      key: 'memory',
      title: t('measured.memory'),
      width: 110,
      align: 'right',
      render: ({ memory_mib }) => (memory_mib === null ? '–' : `${formatAmount(memory_mib)} MiB`),
    },
    { key: 'at', title: t('measured.at'), width: 130, render: (row) => <RelativeTime value={row.created_at} /> },
  ]
}
