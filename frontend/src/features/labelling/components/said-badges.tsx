import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { labelsOf, type Said } from '../model/said'

/** What is said, small. */
export function SaidBadges({ said }: { said: Said }) {
  const { t } = useTranslation('labelling')
  const labels = labelsOf(said)
  const shapes = (said ?? []).filter((one) => one.kind !== 'class').length
  return (
    <Group gap={4} mih={22}>
      {labels.map((label) => (
        <Badge key={label} maw="100%">
          {label}
        </Badge>
      ))}
      {shapes > 0 && <Badge variant="default">{t('said.shapes', { count: shapes })}</Badge>}
      {labels.length === 0 && shapes === 0 && (
        <Text size="xs" c="dimmed">
          {said === null ? t('said.unlabelled') : t('said.nothing')}
        </Text>
      )}
    </Group>
  )
}
