import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { SPLIT_COLORS } from '../../../charts/palette/split-colors'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { PictureThumb } from '../../../ui/picture-thumb'
import { useVersionItems } from '../api/get-versions'
import classes from './item-gallery.module.css'

/** The frozen items of a version with what was said of them then. */
export function ItemGallery({ version }: { version: string }) {
  const items = useVersionItems(version)
  if (items.isPending) return <LoadingState rows={2} height={120} />
  if (items.isError) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  return (
    <>
      <ul className={classes.grid}>
        {items.data.pages
          .flatMap((page) => page.items)
          .map((item) => (
            <ItemCard key={item.item} item={item} />
          ))}
      </ul>
      <LoadMore query={items} />
    </>
  )
}

interface ItemCardProps {
  item: { name: string; thumbnail_url: string; split: string; annotations: readonly { kind: string; label?: string }[] }
}

function ItemCard({ item }: ItemCardProps) {
  const { t } = useTranslation('versions')
  const labels = item.annotations.map((annotation) => annotation.label ?? annotation.kind).join(', ')
  return (
    <li className={classes.card}>
      <PictureThumb src={item.thumbnail_url} alt={item.name} />
      <div className={classes.caption}>
        <Text size="xs" truncate title={labels}>
          {labels || t('nothing_on_it')}
        </Text>
        <Badge size="xs" variant="dot" color={SPLIT_COLORS[item.split] ?? 'gray'} className={classes.split}>
          {t(`charts:split.${item.split}`)}
        </Badge>
      </div>
    </li>
  )
}
