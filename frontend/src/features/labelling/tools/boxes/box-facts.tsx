import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { objectsOf, type ItemAnnotations } from '../../../../answers/annotations'
import { useItemSize } from '../../../../items/item-size'
import type { Item } from '../../../../lib/api/types'

/** Which picture this is, and whether anybody has said that it holds something, or nothing. */
export function BoxFacts({ item, said }: { item: Item; said: ItemAnnotations }) {
  const { t } = useTranslation('labelling')
  const size = useItemSize()
  const count = objectsOf(said).length
  return (
    <Stack gap={4} px="xs">
      <Text size="sm" fw={600} truncate title={item.name}>
        {item.name.slice(item.name.lastIndexOf('/') + 1)}
      </Text>
      <Group gap="xs" mih={22} wrap="nowrap" role="status">
        {said === null ? (
          <Badge variant="default" flex="none" leftSection={<IconCircleDashed size={13} />}>
            {t('said.unlabelled')}
          </Badge>
        ) : count === 0 ? (
          <Badge variant="filled" color="teal.8" flex="none" leftSection={<IconCircleCheck size={13} />}>
            {t('boxes.nothing_now')}
          </Badge>
        ) : (
          <Badge variant="light" flex="none" leftSection={<IconCircleCheck size={13} />}>
            {t('boxes.boxes', { count })}
          </Badge>
        )}
        <Text size="xs" c="dimmed" truncate>
          {size(item.media)}
        </Text>
      </Group>
    </Stack>
  )
}
