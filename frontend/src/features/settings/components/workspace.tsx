import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { afterMutation } from '../../../lib/after-mutation'
import { formatBytes, formatNumber } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import { useMembers } from '../../../lib/session/members'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { StateBadge } from '../../../ui/state-badge'
import { type Operation, useOperation, useRename } from '../api/workspace'

interface WorkspaceProps {
  workspace: { id: string; name: string }
}

/** A workspace as its owner runs it: its name, its people, what its workers do. */
export function Workspace({ workspace }: WorkspaceProps) {
  const operation = useOperation(workspace.id)
  return (
    <Stack maw={880}>
      <Name key={workspace.name} workspace={workspace} />
      {operation.isPending && <LoadingState rows={4} />}
      {operation.isLoadingError && <ErrorState error={operation.error} onRetry={() => void operation.refetch()} />}
      {operation.data && (
        <>
          <Totals workspace={workspace.id} operation={operation.data} />
          <Queue operation={operation.data} />
        </>
      )}
    </Stack>
  )
}

function Name({ workspace }: WorkspaceProps) {
  const { t } = useTranslation('settings')
  const rename = useRename(workspace.id)
  const form = useForm({ initialValues: { name: workspace.name } })
  return (
    <Paper
      component="form"
      onSubmit={form.onSubmit(({ name }) => afterMutation(rename.mutateAsync(name.trim()), () => notifyDone(t('saved'))))}
    >
      <Group align="flex-end">
        <TextInput style={{ flex: 1 }} required maxLength={100} label={t('workspace.name')} {...form.getInputProps('name')} />
        <Button type="submit" loading={rename.isPending} disabled={!form.isDirty() || !form.values.name.trim()}>
          {t('common:save')}
        </Button>
      </Group>
    </Paper>
  )
}

function Totals({ workspace, operation }: { workspace: string; operation: Operation }) {
  const { t } = useTranslation('settings')
  const members = useMembers(workspace).data?.length
  const bytes = operation.projects.reduce((sum, one) => sum + one.storage_bytes, 0)
  const facts = [
    { name: t('members.title'), value: members === undefined ? '–' : formatNumber(members), to: '?tab=members' },
    { name: t('workspace.storage'), value: formatBytes(bytes), to: '?tab=usage' },
    { name: t('workspace.waiting'), value: formatNumber(operation.num_waiting), to: '?tab=usage' },
    { name: t('workspace.running'), value: formatNumber(operation.num_running), to: '?tab=usage' },
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {facts.map(({ name, value, to }) => (
        <Paper key={name} p="sm">
          <Title order={3}>{value}</Title>
          <Anchor component={Link} to={to} size="sm">
            {name}
          </Anchor>
        </Paper>
      ))}
    </SimpleGrid>
  )
}

function Queue({ operation }: { operation: Operation }) {
  const { t } = useTranslation('settings')
  const inWords = useLocalText()
  const columns: Column<Operation['jobs'][number]>[] = [
    {
      key: 'title',
      title: t('workspace.job'),
      render: (job) => (
        <>
          <Text size="sm">{inWords(job.title)}</Text>
          <Anchor component={Link} to={`/projects/${job.project}/jobs`} size="xs">
            {job.project_name}
          </Anchor>
        </>
      ),
    },
    { key: 'state', title: t('workspace.state'), width: 120, render: (job) => <StateBadge state={job.is_paused ? 'paused' : job.state} /> },
    { key: 'worker', title: t('workspace.worker'), width: 160, render: (job) => job.worker || '–' },
    { key: 'since', title: t('workspace.since'), width: 150, render: (job) => <RelativeTime value={job.queued_at} /> },
    {
      key: 'alive',
      title: t('workspace.alive'),
      width: 150,
      render: (job) => (job.heartbeat_at ? <RelativeTime value={job.heartbeat_at} /> : '–'),
    },
  ]
  return (
    <Section title={t('workspace.queue')} help={t('workspace.queue_help')}>
      {operation.jobs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('workspace.idle')}
        </Text>
      ) : (
        <DataTable caption={t('workspace.queue')} columns={columns} rows={operation.jobs} rowKey={(job) => job.id} />
      )}
    </Section>
  )
}
