import { Code, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { DataTable } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useAudit } from '../api/settings'

/** Who did what, and when. */
export function Audit({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const audit = useAudit(workspace)
  const rows = audit.data?.pages.flatMap((page) => page.items) ?? []
  if (audit.isPending) return <LoadingState />
  if (audit.isLoadingError) return <ErrorState error={audit.error} onRetry={() => void audit.refetch()} />
  if (rows.length === 0) return <EmptyState title={t('audit.empty')} />
  return (
    <Stack maw={1040}>
      <DataTable
        caption={t('audit.title')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          { key: 'at', title: t('audit.at'), width: 140, render: (row) => <RelativeTime value={row.at} /> },
          { key: 'actor', title: t('audit.actor'), width: 180, render: (row) => row.actor.name },
          { key: 'action', title: t('audit.action'), width: 200, render: (row) => <Code>{row.action}</Code> },
          {
            key: 'detail',
            title: t('audit.detail'),
            render: (row) => (
              <Text size="xs" c="dimmed" ff="monospace" lineClamp={2}>
                {row.subject} {Object.keys(row.detail).length > 0 && JSON.stringify(row.detail)}
              </Text>
            ),
          },
        ]}
      />
      <LoadMore query={audit} />
    </Stack>
  )
}
