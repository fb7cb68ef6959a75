import { Anchor, Group, Modal, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Member, MemberProject } from '../../../lib/api/types'
import { personText } from '../../../lib/person-text'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { useMemberProjects } from '../api/settings'

interface MemberProjectsProps {
  workspace: string
  member: Member
  onClose: () => void
}

/** What a member sees of the projects, and as what. */
export function MemberProjects({ workspace, member, onClose }: MemberProjectsProps) {
  const { t } = useTranslation('settings')
  const projects = useMemberProjects(workspace, member.user)
  const columns: Column<MemberProject>[] = [
    {
      key: 'name',
      title: t('members.project'),
      render: (one) => (
        <Group gap={6} wrap="nowrap">
          <Anchor component={Link} to={`/projects/${one.project}/access`} size="sm">
            {one.name}
          </Anchor>
          {one.is_restricted && <IconLock size={14} stroke={1.8} role="img" aria-label={t('members.restricted')} />}
        </Group>
      ),
    },
    {
      key: 'role',
      title: t('roles:title'),
      width: 160,
      render: (one) => (one.role ? t(`roles:${one.role}.name`) : <Text c="dimmed">{t('members.not_seen')}</Text>),
    },
  ]
  return (
    <Modal opened onClose={onClose} size="lg" title={t('members.projects_of', { name: personText(member) })}>
      {projects.isPending && <LoadingState rows={3} />}
      {projects.isLoadingError && <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />}
      {projects.data && <DataTable caption={t('members.projects')} columns={columns} rows={projects.data} rowKey={(one) => one.project} />}
    </Modal>
  )
}
