import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { confirm } from '../../../ui/confirm'
import { useLeaveWorkspace } from '../api/workspace'

/** The way out of a workspace that others own, or own as well. */
export function LeaveWorkspace({ workspace }: { workspace: { id: string; name: string } }) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  const leave = useLeaveWorkspace(workspace.id)
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
        <Group>
          <Button variant="light" color="red" loading={leave.isPending} onClick={ask}>
            {t('leaving.confirm')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
