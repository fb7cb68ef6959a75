import { ActionIcon, Alert, Button, Code, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconKey, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { ApiKey, Role } from '../../../lib/api/types'
import { confirm } from '../../../ui/confirm'
import { CopyButton } from '../../../ui/copy-button'
import { type Column, DataTable } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useKeys, useMakeKey, useRevokeKey } from '../api/settings'
import { RoleSelect } from './role-select'

/** Ways in for programs. */
export function Keys({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const keys = useKeys(workspace)
  const revoke = useRevokeKey(workspace)
  const ask = (key: ApiKey) =>
    confirm({
      title: t('keys.revoke'),
      children: t('keys.revoke_text', { name: key.name }),
      confirm: t('keys.revoke'),
      isDangerous: true,
      onConfirm: () => revoke.mutate(key.id),
    })
  const columns: Column<ApiKey>[] = [
    { key: 'name', title: t('keys.name'), render: (key) => key.name },
    { key: 'hint', title: t('keys.key'), width: 160, render: (key) => <Code>{key.hint}…</Code> },
    { key: 'role', title: t('role.title'), width: 110, render: (key) => t(`role.${key.role}.name`) },
    {
      key: 'used',
      title: t('keys.used'),
      width: 140,
      render: (key) => (key.last_used_at ? <RelativeTime value={key.last_used_at} /> : <Text c="dimmed">{t('keys.never')}</Text>),
    },
    {
      key: 'revoke',
      title: '',
      width: 48,
      render: (key) => (
        <ActionIcon aria-label={t('keys.revoke')} onClick={() => ask(key)}>
          <IconTrash size={16} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <Stack maw={880}>
      <NewKey workspace={workspace} known={keys.data ?? []} />
      {keys.isPending && <LoadingState rows={3} />}
      {keys.isLoadingError && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && <EmptyState icon={<IconKey size={36} stroke={1.2} />} title={t('keys.empty')} />}
      {keys.data && keys.data.length > 0 && (
        <DataTable caption={t('keys.title')} columns={columns} rows={keys.data} rowKey={(key) => key.id} />
      )}
    </Stack>
  )
}

interface NewKeyProps {
  workspace: string
  /** The secret of a key that was revoked since is not shown any longer. */
  known: readonly ApiKey[]
}

function NewKey({ workspace, known }: NewKeyProps) {
  const { t } = useTranslation('settings')
  const make = useMakeKey(workspace)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('engineer')
  return (
    <Paper
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate({ name, role }, { onSuccess: () => setName('') })
      }}
    >
      <Group align="flex-end">
        <TextInput
          style={{ flex: 1 }}
          label={t('keys.name')}
          placeholder={t('keys.name_example')}
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RoleSelect label={t('role.title')} value={role} onChange={setRole} w={150} />
        <Button type="submit" size="sm" loading={make.isPending}>
          {t('keys.make')}
        </Button>
      </Group>
      {make.data && known.some((key) => key.id === make.data.key.id) && (
        <Alert mt="sm" color="teal" title={t('keys.once')}>
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{make.data.secret}</Code>
            <CopyButton value={make.data.secret} />
          </Group>
        </Alert>
      )}
      {make.isError && <ErrorState error={make.error} />}
    </Paper>
  )
}
