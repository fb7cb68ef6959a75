import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

/** Says what was done and offers to take it back for a while. */
export function notifyUndo(message: string, word: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          variant="subtle"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {word}
        </Button>
      </Group>
    ),
  })
}
