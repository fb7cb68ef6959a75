import { Button, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { type Column, DataTable } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { type QualityAction, useActions } from '../api/quality'
import { useTakeBack } from '../api/use-take-back'

/** What was done about findings, newest first; each can be taken back. */
export function History({ dataset, canAct }: { dataset: string; canAct: boolean }) {
  const { t } = useTranslation('quality')
  const actions = useActions(dataset)
  const { takeBack, isPending } = useTakeBack()
  const rows = actions.data?.pages.flatMap((page) => page.items) ?? []
  const columns: Column<QualityAction>[] = [
    { key: 'what', title: t('history.what'), render: (action) => t(`done.${action.action}`, { count: action.num_items }) },
    { key: 'why', title: t('history.why'), render: (action) => t(`kind.${action.kind}.title`) },
    { key: 'who', title: t('history.who'), render: (action) => action.created_by.name },
    { key: 'when', title: t('history.when'), render: (action) => <RelativeTime value={action.created_at} /> },
    {
      key: 'undo',
      title: '',
      width: 150,
      render: (action) =>
        action.undone_at ? (
          <Text size="xs" c="dimmed">
            {t('history.is_undone')}
          </Text>
        ) : (
          canAct && (
            <Button size="compact-xs" variant="default" disabled={isPending} onClick={() => takeBack(action.id)}>
              {t('common:undo')}
            </Button>
          )
        ),
    },
  ]
  return (
    <Section title={t('history.title')} help={t('history.help')}>
      {actions.isPending && <LoadingState rows={3} />}
      {actions.isLoadingError && <ErrorState error={actions.error} onRetry={() => void actions.refetch()} />}
      {actions.data && rows.length === 0 && <EmptyState icon={<IconHistory size={36} stroke={1.2} />} title={t('history.empty')} />}
      {rows.length > 0 && <DataTable caption={t('history.title')} columns={columns} rows={rows} rowKey={(action) => action.id} />}
      <LoadMore query={actions} />
    </Section>
  )
}
