import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useProject } from '../../lib/project/project'
import type { Predictions } from './section'

/** So many labels of an item a server says unless it is asked for more. */
const USUAL_TOP = 5
const OF_WHOLE_ITEMS = new Set(['kind', 'label', 'score'])

interface CutLabelsProps {
  annotations: Predictions
  /** Asks for so many. */
  onAll: (top: number) => void
}

/** Says that an answer holds only the best labels of an item, and how to get the others. */
export function CutLabels({ annotations, onAll }: CutLabelsProps) {
  const { t } = useTranslation('deployments')
  const total = useProject().data?.label_set.labels.length ?? 0
  const isOfWhole = annotations.every((one) => Object.keys(one).every((name) => OF_WHOLE_ITEMS.has(name)))
  if (annotations.length !== USUAL_TOP || total <= USUAL_TOP || !isOfWhole) return null
  return (
    <Group gap="xs" justify="space-between">
      <Text size="xs" c="dimmed" style={{ flex: '1 1 200px' }}>
        {t('try.cut', { count: USUAL_TOP, total })}
      </Text>
      <Button variant="subtle" size="compact-xs" onClick={() => onAll(total)}>
        {t('try.all')}
      </Button>
    </Group>
  )
}
