import { Skeleton, Stack, Text } from '@mantine/core'

import type { ItemAnnotations } from '../../../answers/annotations'
import type { Item } from '../../../lib/api/types'
import { formatBytes } from '../../../lib/format'
import { useItemSize } from '../../../items/item-size'
import { AnnotationBadges } from './annotation-badges'

/** Which picture this is, and its annotations. Two lines, always. */
export function ItemFacts({ item, annotations }: { item: Item | null; annotations: ItemAnnotations }) {
  const words = useItemSize()
  if (!item) return <Skeleton height={62} />
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} truncate title={item.name}>
        {item.name.slice(item.name.lastIndexOf('/') + 1)}
      </Text>
      <Text size="xs" c="dimmed">
        {words(item.media)} · {formatBytes(item.media.size_bytes)}
      </Text>
      <AnnotationBadges annotations={annotations} />
    </Stack>
  )
}
