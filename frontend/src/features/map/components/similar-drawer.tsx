import { Anchor, Drawer, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { ItemThumb } from '../../../items/item-thumb'
import { useItem, useSimilar } from '../api/get-similar'
import { SimilarGrid, type SimilarGridProps } from './similar-grid'

interface SimilarDrawerProps extends Omit<SimilarGridProps, 'items'> {
  /** The picture that others are compared with; null closes. */
  item: string | null
  onClose: () => void
}

/** Pictures that look like one of the project. */
export function SimilarDrawer({ item, onClose, ...grid }: SimilarDrawerProps) {
  const { t } = useTranslation('map')
  const source = useItem(item).data
  const similar = useSimilar(item)
  return (
    <Drawer opened={item !== null} onClose={onClose} position="right" size="lg" title={t('similar.title')}>
      <Stack gap="md">
        {source && (
          <Group wrap="nowrap" align="flex-start">
            <ItemThumb item={source} alt={source.name} size={128} />
            <Stack gap={4} miw={0}>
              <Text fw={600} truncate>
                {source.name}
              </Text>
              <Text size="sm" c="dimmed">
                {t('similar.lead')}
              </Text>
              <Anchor size="sm" href={source.picture_url} target="_blank" rel="noreferrer">
                {t('similar.full')}
              </Anchor>
            </Stack>
          </Group>
        )}
        {similar.isPending && item !== null && <LoadingState />}
        {similar.isLoadingError && <ErrorState error={similar.error} onRetry={() => void similar.refetch()} />}
        {similar.data?.length === 0 && <Text c="dimmed">{t('similar.none')}</Text>}
        {similar.data && similar.data.length > 0 && <SimilarGrid items={similar.data} {...grid} />}
      </Stack>
    </Drawer>
  )
}
