import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconFolders, IconKey, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Member } from '../../../lib/api/types'
import { personText } from '../../../lib/person-text'
import { confirm } from '../../../ui/confirm'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useResetLink } from '../api/invitations'
import { useRemoveMember, useSetRole } from '../api/settings'
import { useMembers } from '../../../lib/session/members'
import { Invitations } from './invitations'
import { MemberProjects } from './member-projects'
import { LinkOnce } from '../../../ui/link-once'
import { MEMBER_ROLES, RoleSelect } from '../../../ui/role-select'

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
  const reset = useResetLink(workspace)
  const [shown, setShown] = useState<Member | null>(null)
  const ask = (member: Member) =>
    confirm({
      title: t('members.remove'),
      children: t('members.remove_text', { name: personText(member) }),
      confirm: t('members.remove'),
      isDangerous: true,
      onConfirm: () => remove.mutate(member.user),
    })
  const askReset = (member: Member) =>
    confirm({
      title: t('members.reset'),
      children: t('members.reset_text', { name: personText(member) }),
      confirm: t('members.reset'),
      onConfirm: () => reset.mutate(member.user),
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
      title: t('roles:title'),
      width: 180,
      render: (member) =>
        isOwner && member.user !== me ? (
          <RoleSelect
            size="xs"
            aria-label={t('roles:title')}
            roles={MEMBER_ROLES}
            value={member.role}
            onChange={(role) => setRole.mutate({ user_id: member.user, role })}
          />
        ) : (
          t(`roles:${member.role}.name`)
        ),
    },
    { key: 'since', title: t('members.since'), width: 160, render: (member) => <RelativeTime value={member.created_at} /> },
    {
      key: 'remove',
      title: '',
      width: 120,
      render: (member) =>
        isOwner &&
        member.user !== me && (
          <Group gap={4} wrap="nowrap">
            <ActionIcon aria-label={t('members.projects')} title={t('members.projects')} onClick={() => setShown(member)}>
              <IconFolders size={16} />
            </ActionIcon>
            <ActionIcon aria-label={t('members.reset')} title={t('members.reset')} onClick={() => askReset(member)}>
              <IconKey size={16} />
            </ActionIcon>
            <ActionIcon aria-label={t('members.remove')} title={t('members.remove')} onClick={() => ask(member)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ),
    },
  ]
  return (
    <Stack maw={880}>
      {shown && <MemberProjects workspace={workspace} member={shown} onClose={() => setShown(null)} />}
      {isOwner && <Invitations workspace={workspace} />}
      {reset.data && (
        <LinkOnce
          title={t('members.reset_made')}
          text={t('members.reset_once', { count: reset.data.valid_hours })}
          link={reset.data.link}
        />
      )}
      {members.isPending && <LoadingState rows={3} />}
      {members.isLoadingError && <ErrorState error={members.error} onRetry={() => void members.refetch()} />}
      {members.data && <DataTable caption={t('members.title')} columns={columns} rows={members.data} rowKey={(member) => member.user} />}
    </Stack>
  )
}
