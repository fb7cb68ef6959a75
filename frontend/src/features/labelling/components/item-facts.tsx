import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Item } from '../../../lib/api/types'
import { formatBytes } from '../../../lib/format'
import { labelsOf, type Said } from '../model/said'

/** Which picture this is and what is said of it. Two lines, always. */
export function ItemFacts({ item, said }: { item: Item | null; said: Said }) {
  const { t } = useTranslation('labelling')
  if (!item) return <Skeleton height={62} />
  const labels = labelsOf(said)
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} truncate title={item.name}>
        {item.name.slice(item.name.lastIndexOf('/') + 1)}
      </Text>
      <Text size="xs" c="dimmed">
        {item.media.width} × {item.media.height} · {formatBytes(item.media.size_bytes)}
      </Text>
      <Group gap={4} mih={22}>
        {labels.map((label) => (
          <Badge key={label}>{label}</Badge>
        ))}
        {labels.length === 0 && (
          <Text size="xs" c="dimmed">
            {said === null ? t('said.unlabelled') : t('said.nothing')}
          </Text>
        )}
      </Group>
    </Stack>
  )
}
