import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Sparkline } from '../../../charts/sparkline/sparkline'
import { formatPercent, formatSeconds } from '../../../lib/format'
import { type Column, DataTable } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { useWorkers, type Worker } from '../api/campaigns'
import { perDay } from '../model/per-day'

const DAYS = [7, 14, 30, 90]

/** Who did how much, how fast and how well. */
export function Workers({ project }: { project: string }) {
  const { t } = useTranslation('team')
  const [days, setDays] = useState(14)
  const workers = useWorkers(project, days)
  const columns: Column<Worker>[] = [
    { key: 'name', title: t('person.name'), render: (row) => <Text fw={500}>{row.name || t('somebody')}</Text> },
    {
      key: 'days',
      title: t('worker.days'),
      width: 130,
      render: (row) => <Sparkline values={perDay(row.per_day, days, Date.now())} title={t('worker.days_title', { name: row.name })} />,
    },
    { key: 'changes', title: t('worker.changes'), width: 110, align: 'right', render: (row) => row.num_changes },
    {
      key: 'time',
      title: t('person.time'),
      width: 120,
      align: 'right',
      render: (row) => (row.median_s === null ? '–' : formatSeconds(row.median_s)),
    },
    {
      key: 'reviews',
      title: t('worker.reviews'),
      width: 170,
      align: 'right',
      render: (row) =>
        row.num_approved + row.num_returned
          ? t('worker.approved', { approved: row.num_approved, total: row.num_approved + row.num_returned })
          : '–',
    },
    {
      key: 'gold',
      title: t('person.gold'),
      width: 140,
      align: 'right',
      render: (row) => (row.gold_accuracy === null ? '–' : `${formatPercent(row.gold_accuracy)} (${row.num_gold})`),
    },
  ]
  return (
    <Stack>
      <Group>
        <SegmentedControl
          size="xs"
          aria-label={t('worker.span')}
          data={DAYS.map((value) => ({ value: String(value), label: t('worker.last', { count: value }) }))}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
        />
      </Group>
      {workers.isPending && <LoadingState rows={3} />}
      {workers.isLoadingError && <ErrorState error={workers.error} onRetry={() => void workers.refetch()} />}
      {workers.data?.length === 0 && (
        <EmptyState
          drawing="people"
          title={t('worker.none')}
          action={
            <Button component={Link} to={`/projects/${project}/labelling`}>
              {t('worker.to_labelling')}
            </Button>
          }
        >
          {t('worker.none_text')}
        </EmptyState>
      )}
      {workers.data && workers.data.length > 0 && (
        <DataTable caption={t('tab.people')} columns={columns} rows={workers.data} rowKey={(row) => row.person} />
      )}
    </Stack>
  )
}
