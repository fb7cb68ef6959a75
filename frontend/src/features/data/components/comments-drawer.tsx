import { Drawer, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { ItemThumb } from '../../../items/item-thumb'
import type { Item } from '../../../lib/api/types'
import { CommentsPanel } from '../../../ui/comments/comments-panel'

interface CommentsDrawerProps {
  /** Null closes. */
  item: Item | null
  canWrite: boolean
  onClose: () => void
}

/** The comments of a picture beside a wall of pictures. */
export function CommentsDrawer({ item, canWrite, onClose }: CommentsDrawerProps) {
  const { t } = useTranslation('comments')
  const { hasThumbnails } = useItemKind()
  return (
    <Drawer opened={item !== null} onClose={onClose} position="right" size="sm" title={t('title')}>
      {item && (
        <Stack gap="md">
          <Group wrap={hasThumbnails ? 'nowrap' : 'wrap'} align="flex-start">
            <ItemThumb key={item.id} item={item} alt="" size={128} />
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {item.name}
            </Text>
          </Group>
          <CommentsPanel item={item.id} canWrite={canWrite} isOpen />
        </Stack>
      )}
    </Drawer>
  )
}
