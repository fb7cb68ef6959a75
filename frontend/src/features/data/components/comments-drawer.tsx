import { Drawer, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { ItemThumb } from '../../../items/item-thumb'
import { itemQuery } from '../../../lib/item-query'
import { CommentsPanel } from '../../../ui/comments/comments-panel'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'

interface CommentsDrawerProps {
  /** Null closes. */
  item: string | null
  canWrite: boolean
  onClose: () => void
}

/** The comments of a picture beside a wall of pictures. */
export function CommentsDrawer({ item: id, canWrite, onClose }: CommentsDrawerProps) {
  const { t } = useTranslation('comments')
  const { hasThumbnails } = useItemKind()
  const { data: item, error, refetch } = useQuery({ ...itemQuery(id ?? ''), enabled: id !== null })
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size="sm" title={t('title')}>
      {id !== null && !item && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState height={56} />)}
      {id !== null && item && (
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
