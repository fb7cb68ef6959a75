import { Group, Text } from '@mantine/core'
import { IconAlarm } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** The last day of a campaign, loud when it has passed and work is left. */
export function Deadline({ value, isOverdue }: { value: string | null; isOverdue: boolean }) {
  const { t, i18n } = useTranslation('team')
  if (value === null)
    return (
      <Text size="sm" c="dimmed">
        {t('no_deadline')}
      </Text>
    )
  const day = new Date(value).toLocaleDateString(i18n.language, { month: 'short', day: 'numeric', year: 'numeric' })
  return (
    <Group gap={4} wrap="nowrap" c={isOverdue ? 'red' : undefined}>
      {isOverdue && <IconAlarm size={15} aria-hidden />}
      <Text size="sm">{isOverdue ? t('overdue', { day }) : day}</Text>
    </Group>
  )
}
