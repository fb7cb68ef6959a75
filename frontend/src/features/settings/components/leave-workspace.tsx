import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useMembers } from '../../../lib/session/members'
import { confirm } from '../../../ui/confirm'
import { useLeaveWorkspace } from '../api/workspace'

interface LeaveWorkspaceProps {
  workspace: { id: string; name: string }
  me: string
}

/** The way out of a workspace that others own, or own as well; its only owner reads what to do first. */
export function LeaveWorkspace({ workspace, me }: LeaveWorkspaceProps) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  const leave = useLeaveWorkspace(workspace.id)
  const owners = useMembers(workspace.id).data?.filter((member) => member.role === 'owner')
  const isOnlyOwner = owners?.length === 1 && owners[0]?.user === me
  const text = t('leaving.text', { name: workspace.name })
  const ask = () =>
    confirm({
      title: t('leaving.title'),
      children: text,
      confirm: t('leaving.confirm'),
      isDangerous: true,
      onConfirm: () => leave.mutate(undefined, { onSuccess: () => void navigate('/') }),
    })
  return (
    <Paper maw={880}>
      <Stack gap="sm">
        <Title order={2}>{t('leaving.title')}</Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {isOnlyOwner && (
          <Text size="sm" id="only-owner">
            {t('leaving.only_owner', { name: workspace.name })}
          </Text>
        )}
        <Group>
          <Button
            variant="light"
            color="red"
            loading={leave.isPending}
            disabled={isOnlyOwner}
            aria-describedby={isOnlyOwner ? 'only-owner' : undefined}
            onClick={ask}
          >
            {t('leaving.confirm')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
