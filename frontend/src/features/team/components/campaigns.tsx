import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useNow } from '../../../lib/use-now'
import { type Column, DataTable } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { type Campaign, useCampaigns } from '../api/campaigns'
import { progressOf } from '../model/progress'
import { CampaignProgress } from './campaign-progress'
import { Deadline } from './deadline'

/** All campaigns of a project. */
export function Campaigns({ project, action }: { project: string; action: React.ReactNode }) {
  const { t } = useTranslation('team')
  const navigate = useNavigate()
  const now = useNow(60_000)
  const campaigns = useCampaigns(project)
  const rows = campaigns.data?.pages.flatMap((page) => page.items) ?? []
  if (campaigns.isPending) return <LoadingState rows={4} />
  if (campaigns.isLoadingError) return <ErrorState error={campaigns.error} onRetry={() => void campaigns.refetch()} />
  if (rows.length === 0)
    return (
      <EmptyState drawing="people" title={t('empty')} action={action}>
        {t('empty_text')}
      </EmptyState>
    )
  const columns: Column<Campaign>[] = [
    { key: 'title', title: t('column.title'), render: (row) => <Text fw={500}>{row.title}</Text> },
    { key: 'progress', title: t('column.progress'), width: 260, render: (row) => <CampaignProgress campaign={row} /> },
    { key: 'people', title: t('column.people'), width: 90, align: 'right', render: (row) => row.people.length },
    {
      key: 'deadline',
      title: t('column.deadline'),
      width: 170,
      render: (row) => <Deadline value={row.deadline_at} isOverdue={progressOf(row, now).isOverdue} />,
    },
    {
      key: 'state',
      title: '',
      width: 100,
      render: (row) => (
        <Badge variant="light" color={row.state === 'open' ? 'teal' : 'gray'}>
          {t(`state.${row.state}`)}
        </Badge>
      ),
    },
  ]
  return (
    <>
      <DataTable caption={t('title')} columns={columns} rows={rows} rowKey={(row) => row.id} onRowClick={(row) => void navigate(row.id)} />
      <LoadMore query={campaigns} />
    </>
  )
}
