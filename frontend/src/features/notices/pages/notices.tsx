import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useNotices, useNumUnread, useReadNotices } from '../../../lib/notices/notices'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { NoticeList } from '../../../ui/notice-list'
import { PageHeader } from '../../../ui/page-header'

const PAGE = 50

/** All that a person was told, newest first. */
export function Component() {
  const { t } = useTranslation('notices')
  const notices = useNotices(PAGE)
  const numUnread = useNumUnread().data ?? 0
  const read = useReadNotices()
  const rows = notices.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Stack gap={0} maw={860}>
      <PageHeader
        title={t('title')}
        subtitle={t('lead')}
        actions={
          numUnread > 0 && (
            <Button variant="default" loading={read.isPending} onClick={() => read.mutate(null)}>
              {t('read_all')}
            </Button>
          )
        }
      />
      {notices.isPending && <LoadingState rows={5} height={44} />}
      {notices.isLoadingError && <ErrorState error={notices.error} onRetry={() => void notices.refetch()} />}
      {notices.data && rows.length === 0 && (
        <EmptyState
          drawing="notices"
          title={t('none')}
          action={
            <Button variant="default" component={Link} to="/tasks">
              {t('to_tasks')}
            </Button>
          }
        >
          {t('none_text')}
        </EmptyState>
      )}
      <NoticeList notices={rows} />
      <LoadMore query={notices} />
    </Stack>
  )
}
