import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'

/** Says what was done and offers to take it back for a while; answers with the notice's id. */
export function notifyUndo(message: string, undo: () => void): string {
  const id = notifications.show({
    autoClose: 10_000,
    message: (
      <Notice
        message={message}
        onUndo={() => {
          notifications.hide(id)
          undo()
        }}
      />
    ),
  })
  return id
}

function Notice({ message, onUndo }: { message: string; onUndo: () => void }) {
  const { t } = useTranslation('common')
  return (
    <Group justify="space-between" gap={4}>
      <Text inherit>{message}</Text>
      <Button size="compact-xs" variant="light" onClick={onUndo}>
        {t('undo')}
      </Button>
    </Group>
  )
}
