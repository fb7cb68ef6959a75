import { Badge, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { useNothingWord } from '../../../answers/nothing-word'
import { useItemKind } from '../../../items'
import { SPLIT_COLORS, SPLITS } from '../../../charts/palette/split-colors'
import type { Item, Label } from '../../../lib/api/types'
import { useLabelName } from '../../../lib/labels/use-label-name'
import { useProject } from '../../../lib/project/project'
import { AnnotatedThumb } from '../../../answers/annotated-thumb'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import type { AnnotationLike } from '../../../answers/kind'
import { useVersionItems } from '../api/get-versions'
import { annotationWords } from '../model/annotation-words'
import classes from './item-gallery.module.css'
import { VersionRows } from './version-rows'

/** The items of a version with their annotations at that time, filtered by split and label from the URL. */
export function ItemGallery({ version, labels }: { version: string; labels: readonly string[] }) {
  const { t } = useTranslation('versions')
  const [search, setSearch] = useSearchParams()
  const { wall } = useItemKind()
  const known = useProject().data?.label_set.labels ?? []
  const split = SPLITS.find((one) => one === search.get('split')) ?? null
  const label = search.get('label')
  const items = useVersionItems(version, { split, label })
  const set = (name: string, value: string | null) =>
    setSearch((old) => {
      if (value) old.set(name, value)
      else old.delete(name)
      return old
    })
  const shown = items.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <Group gap="xs" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('splits')}
          value={split ?? 'all'}
          onChange={(value) => set('split', value === 'all' ? null : value)}
          data={[{ value: 'all', label: t('diff.all') }, ...SPLITS.map((one) => ({ value: one, label: t(`charts:split.${one}`) }))]}
        />
        {labels.length > 0 && (
          <Select
            size="xs"
            w={200}
            clearable
            searchable
            aria-label={t('diff.filter_label')}
            placeholder={t('diff.filter_label')}
            value={label}
            onChange={(value) => set('label', value)}
            data={[...labels]}
          />
        )}
      </Group>
      {items.isPending && <LoadingState rows={2} height={120} />}
      {items.isLoadingError && <ErrorState error={items.error} onRetry={() => void items.refetch()} />}
      {items.data && shown.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" py="lg">
          {t('none_match')}
        </Text>
      )}
      {wall.form === 'sheet' ? (
        shown.length > 0 && <VersionRows key={`${split} ${label}`} version={version} items={items} labels={known} />
      ) : (
        <>
          <ul className={classes.grid}>
            {shown.map((item) => (
              <ItemCard key={item.item} item={item} labels={known} />
            ))}
          </ul>
          <LoadMore query={items} />
        </>
      )}
    </>
  )
}

interface ItemCardProps {
  item: Pick<Item, 'name' | 'text' | 'thumbnail_url' | 'media'> & { split: string; annotations: readonly AnnotationLike[] }
  labels: readonly Label[]
}

function ItemCard({ item, labels: known }: ItemCardProps) {
  const { t } = useTranslation('versions')
  const nothing = useNothingWord()
  const labelName = useLabelName()
  const labels = [...new Set(item.annotations.map((one) => labelName(annotationWords(one))))].join(', ')
  return (
    <li className={classes.card}>
      <AnnotatedThumb item={item} annotations={item.annotations} labels={known} alt={item.name} />
      <div className={classes.caption}>
        <Text size="xs" truncate title={labels}>
          {labels || nothing}
        </Text>
        <Badge size="xs" variant="dot" color={SPLIT_COLORS[item.split] ?? 'gray'} className={classes.split}>
          {t(`charts:split.${item.split}`)}
        </Badge>
      </div>
    </li>
  )
}
