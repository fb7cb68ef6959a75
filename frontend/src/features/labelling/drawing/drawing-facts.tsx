import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { numObjects, type ItemAnnotations } from '../../../answers/annotations'
import { useItemSize } from '../../../items/item-size'
import type { Counted } from './counted'
import type { Item } from '../../../lib/api/types'

interface DrawingFactsProps {
  item: Item
  annotations: ItemAnnotations
  /** Key of how many objects there are. */
  counted: Counted
}

/** The picture's name and size, and whether it is unlabelled, labelled or annotated as empty. */
export function DrawingFacts({ item, annotations, counted }: DrawingFactsProps) {
  const { t } = useTranslation('labelling')
  const size = useItemSize()
  const count = numObjects(annotations)
  return (
    <Stack gap={4} px="xs">
      <Text size="sm" fw={600} truncate title={item.name}>
        {item.name.slice(item.name.lastIndexOf('/') + 1)}
      </Text>
      <Group gap="xs" mih={22} wrap="nowrap" role="status">
        {annotations === null ? (
          <Badge variant="default" flex="none" leftSection={<IconCircleDashed size={13} />}>
            {t('annotations.unlabelled')}
          </Badge>
        ) : count === 0 ? (
          <Badge variant="filled" color="teal.8" flex="none" leftSection={<IconCircleCheck size={13} />}>
            {t('drawing.nothing_now')}
          </Badge>
        ) : (
          <Badge variant="light" flex="none" leftSection={<IconCircleCheck size={13} />}>
            {t(counted, { count })}
          </Badge>
        )}
        <Text size="xs" c="dimmed" truncate>
          {size(item.media)}
        </Text>
      </Group>
    </Stack>
  )
}
