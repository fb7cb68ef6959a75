import { Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { ItemAnnotations } from '../../../answers/annotations'
import type { Item } from '../../../lib/api/types'
import { formatBytes } from '../../../lib/format'
import { useItemSize } from '../../../items/item-size'
import { AnnotationBadges } from './annotation-badges'

/** Which picture this is, its annotations, and what came along with it. */
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
      <Metadata metadata={item.metadata} />
    </Stack>
  )
}

/** Names and values; on the labelling page beside what is labelled, so never more than a few lines. */
function Metadata({ metadata }: Pick<Item, 'metadata'>) {
  const { t } = useTranslation('data')
  const words = Object.entries(metadata).map(([name, value]) => `${name}: ${value}`)
  if (words.length === 0) return null
  return (
    <Text size="xs" c="dimmed" lineClamp={4} style={{ overflowWrap: 'anywhere' }} title={words.join('\n')}>
      <VisuallyHidden>{t('filter.meta')}: </VisuallyHidden>
      {words.join(' · ')}
    </Text>
  )
}
