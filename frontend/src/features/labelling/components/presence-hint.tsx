import { Avatar, Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Who else looks at the picture just now. */
export function PresenceHint({ people }: { people: readonly { by: string; name: string }[] }) {
  const { t } = useTranslation('labelling')
  const [first] = people
  if (!first) return null
  return (
    <Paper px="xs" py={4} role="status" pos="absolute" top={8} right={8} shadow="xs" maw="calc(100% - 16px)">
      <Group gap={6} wrap="nowrap">
        <Avatar.Group spacing="xs">
          {people.slice(0, 3).map(({ by, name }) => (
            <Avatar key={by} size={20} name={name} color="initials" />
          ))}
        </Avatar.Group>
        <Text size="xs">
          {people.length === 1
            ? t('presence.one', { name: first.name })
            : t('presence.many', { name: first.name, count: people.length - 1 })}
        </Text>
      </Group>
    </Paper>
  )
}
