import { ActionIcon, Alert, Anchor, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconKey, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { ApiKey } from '../../../lib/api/types'
import { confirm } from '../../../ui/confirm'
import { CopyButton } from '../../../ui/copy-button'
import { type Column, DataTable } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useKeys, useRevokeKey } from '../api/settings'
import { NewKeyDialog } from './new-key-dialog'

const COLORS: Record<ApiKey['state'], string> = {
  active: 'teal',
  expiring: 'orange',
  expired: 'red',
  ended: 'gray',
  no_owner: 'gray',
}

/** Ways in for programs: whose they are, what each may do, until when, and when it was used last. */
export function Keys({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const keys = useKeys(workspace)
  const [isDialogOpen, setDialogOpen] = useState(false)
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const expiring = keys.data?.filter((key) => key.state === 'expiring') ?? []
  return (
    <Stack maw={1080}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed" maw={720}>
          {t('keys.text')}{' '}
          <Anchor href="/api/docs" target="_blank" inherit>
            {t('keys.reference')}
          </Anchor>
        </Text>
        {keys.data?.length !== 0 && (
          <Button leftSection={<IconPlus size={16} />} flex="none" onClick={() => setDialogOpen(true)}>
            {t('keys.make')}
          </Button>
        )}
      </Group>
      {made && keys.data?.some((key) => key.id === made.id) && (
        <Alert color="teal" icon={<IconKey size={16} />} title={t('keys.once')} withCloseButton onClose={() => setMade(null)}>
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{made.secret}</Code>
            <CopyButton value={made.secret} />
          </Group>
        </Alert>
      )}
      {expiring.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle size={16} />} title={t('keys.expiring', { count: expiring.length })}>
          {t('keys.expiring_text', { names: expiring.map((key) => key.name).join(t('keys.comma')) })}
        </Alert>
      )}
      {keys.isPending && <LoadingState rows={3} />}
      {keys.isLoadingError && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && (
        <EmptyState drawing="key" title={t('keys.empty')} action={<Button onClick={() => setDialogOpen(true)}>{t('keys.make')}</Button>}>
          {t('keys.empty_text')}
        </EmptyState>
      )}
      {keys.data && keys.data.length > 0 && <KeyTable workspace={workspace} keys={keys.data} />}
      {isDialogOpen && (
        <NewKeyDialog
          workspace={workspace}
          onClose={() => setDialogOpen(false)}
          onMade={(key, secret) => {
            setMade({ id: key.id, secret })
            setDialogOpen(false)
          }}
        />
      )}
    </Stack>
  )
}

function KeyTable({ workspace, keys }: { workspace: string; keys: ApiKey[] }) {
  const { t } = useTranslation('settings')
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
    { key: 'name', title: t('keys.name'), render: (key) => <Named name={key.name} below={<Code fz={11}>{key.hint}</Code>} /> },
    {
      key: 'owner',
      title: t('keys.owner'),
      render: (key) => (key.owner ? <Named name={key.owner.name} below={key.owner.email} /> : <Text c="dimmed">{t('keys.nobody')}</Text>),
    },
    { key: 'scope', title: t('keys.scope'), render: (key) => <Scope of={key} /> },
    {
      key: 'state',
      title: t('keys.state'),
      width: 150,
      render: (key) => (
        <Badge variant="light" color={COLORS[key.state]} title={t(`keys.states.${key.state}_text`)}>
          {t(`keys.states.${key.state}`)}
        </Badge>
      ),
    },
    {
      key: 'expires',
      title: t('keys.expires'),
      width: 130,
      render: (key) => (key.expires_at ? <RelativeTime value={key.expires_at} /> : <Text c="dimmed">{t('keys.never_ends')}</Text>),
    },
    {
      key: 'used',
      title: t('keys.used'),
      width: 130,
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
  return <DataTable caption={t('keys.title')} columns={columns} rows={keys} rowKey={(key) => key.id} />
}

function Named({ name, below }: { name: string; below: React.ReactNode }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {below}
      </Text>
    </>
  )
}

/** What a key may do, and with what. */
function Scope({ of: key }: { of: ApiKey }) {
  const { t } = useTranslation('settings')
  const target = key.deployment ?? key.project
  const kind = key.deployment ? 'deployment' : 'project'
  return (
    <Named
      name={key.predict_only ? t('keys.may_predict') : t(`roles:${key.role}.name`)}
      below={target ? t(`keys.only_${kind}`, { name: target.name ?? t('keys.gone') }) : t('keys.whole')}
    />
  )
}
