import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { objectsOf, labelsOf, type ItemAnnotations, valueOf } from '../../../answers/annotations'
import { formatNumber } from '../../../lib/format'

/** The annotations, small: the classes, and how many objects there are of each label. */
export function AnnotationBadges({ annotations }: { annotations: ItemAnnotations }) {
  const { t } = useTranslation('labelling')
  const labels = labelsOf(annotations)
  const value = valueOf(annotations)
  const counts = new Map<string, number>()
  for (const one of objectsOf(annotations)) {
    const name = ('label' in one && one.label) || t('annotations.shape')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return (
    <Group gap={4} mih={22}>
      {labels.map((label) => (
        <Badge key={label} maw="100%">
          {label}
        </Badge>
      ))}
      {value !== null && <Badge>{formatNumber(value)}</Badge>}
      {[...counts].map(([name, count]) => (
        <Badge key={name} variant="default" maw="100%">
          {t('annotations.shapes', { name, count })}
        </Badge>
      ))}
      {labels.length === 0 && counts.size === 0 && value === null && (
        <Text size="xs" c="dimmed">
          {annotations === null ? t('annotations.unlabelled') : t('annotations.nothing')}
        </Text>
      )}
    </Group>
  )
}
