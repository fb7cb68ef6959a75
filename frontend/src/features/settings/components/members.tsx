import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Member, Role } from '../../../lib/api/types'
import { confirm } from '../../../ui/confirm'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useAddMember, useMembers, useRemoveMember, useSetRole } from '../api/settings'
import { RoleSelect } from './role-select'

interface MembersProps {
  workspace: string
  me: string
  isOwner: boolean
}

/** Who works here, and as what. */
export function Members({ workspace, me, isOwner }: MembersProps) {
  const { t } = useTranslation('settings')
  const members = useMembers(workspace)
  const setRole = useSetRole(workspace)
  const remove = useRemoveMember(workspace)
  const ask = (member: Member) =>
    confirm({
      title: t('members.remove'),
      children: t('members.remove_text', { name: member.name || member.email }),
      confirm: t('members.remove'),
      isDangerous: true,
      onConfirm: () => remove.mutate(member.user),
    })
  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: t('members.person'),
      render: (member) => (
        <>
          <Text size="sm" fw={500}>
            {member.name}
          </Text>
          <Text size="xs" c="dimmed">
            {member.email}
          </Text>
        </>
      ),
    },
    {
      key: 'role',
      title: t('role.title'),
      width: 180,
      render: (member) =>
        isOwner && member.user !== me ? (
          <RoleSelect
            size="xs"
            aria-label={t('role.title')}
            value={member.role}
            onChange={(role) => setRole.mutate({ user_id: member.user, role })}
          />
        ) : (
          t(`role.${member.role}.name`)
        ),
    },
    { key: 'since', title: t('members.since'), width: 160, render: (member) => <RelativeTime value={member.created_at} /> },
    {
      key: 'remove',
      title: '',
      width: 48,
      render: (member) =>
        isOwner &&
        member.user !== me && (
          <ActionIcon aria-label={t('members.remove')} onClick={() => ask(member)}>
            <IconTrash size={16} />
          </ActionIcon>
        ),
    },
  ]
  return (
    <Stack maw={880}>
      {isOwner && <AddMember workspace={workspace} />}
      {members.isPending && <LoadingState rows={3} />}
      {members.isLoadingError && <ErrorState error={members.error} onRetry={() => void members.refetch()} />}
      {members.data && <DataTable caption={t('members.title')} columns={columns} rows={members.data} rowKey={(member) => member.user} />}
    </Stack>
  )
}

function AddMember({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const add = useAddMember(workspace)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('labeller')
  return (
    <Paper
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate({ email, role }, { onSuccess: () => setEmail('') })
      }}
    >
      <Group align="flex-end">
        <TextInput
          style={{ flex: 1 }}
          type="email"
          label={t('members.email')}
          description={t('members.email_text')}
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RoleSelect label={t('role.title')} value={role} onChange={setRole} w={150} />
        <Button type="submit" size="sm" loading={add.isPending}>
          {t('members.add')}
        </Button>
      </Group>
      {add.isError && (
        <div style={{ marginTop: 12 }}>
          <ErrorState error={add.error} />
        </div>
      )}
    </Paper>
  )
}
