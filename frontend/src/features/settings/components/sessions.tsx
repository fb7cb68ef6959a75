import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { BrowserSession } from '../../../lib/api/types'
import { confirm } from '../../../ui/confirm'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useEndSession, useSessions } from '../api/security'
import { deviceOf } from '../model/device'

/** The browsers that one is signed in with. */
export function Sessions() {
  const { t } = useTranslation('settings')
  const sessions = useSessions()
  const end = useEndSession()
  const columns: Column<BrowserSession>[] = [
    {
      key: 'device',
      title: t('sessions.device'),
      render: (row) => (
        <>
          <Text size="sm" fw={500}>
            {deviceOf(row.user_agent) || t('sessions.unknown')} {row.is_current && <Badge size="xs">{t('sessions.this')}</Badge>}
          </Text>
          <Text size="xs" c="dimmed">
            {row.address}
          </Text>
        </>
      ),
    },
    { key: 'since', title: t('sessions.since'), width: 140, render: (row) => <RelativeTime value={row.created_at} /> },
    { key: 'used', title: t('sessions.used'), width: 140, render: (row) => <RelativeTime value={row.last_seen_at} /> },
    {
      key: 'end',
      title: '',
      width: 100,
      render: (row) =>
        !row.is_current && (
          <Button size="xs" variant="default" disabled={end.isPending} onClick={() => end.mutate(row.id)}>
            {t('sessions.end')}
          </Button>
        ),
    },
  ]
  const askAll = () =>
    confirm({
      title: t('sessions.end_others'),
      children: t('sessions.end_others_text'),
      confirm: t('sessions.end_others'),
      onConfirm: () => end.mutate('others'),
    })
  return (
    <Paper>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('sessions.title')}</Title>
          <Button variant="default" onClick={askAll} disabled={(sessions.data?.length ?? 0) < 2} loading={end.isPending}>
            {t('sessions.end_others')}
          </Button>
        </Group>
        {sessions.isPending && <LoadingState rows={2} />}
        {sessions.isLoadingError && <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />}
        {sessions.data && (
          <DataTable caption={t('sessions.title')} columns={columns} rows={sessions.data} rowKey={(row) => String(row.id)} />
        )}
      </Stack>
    </Paper>
  )
}
