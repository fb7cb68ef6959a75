import { Badge, Group, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import type { Label } from '../../../lib/api/types'
import { useLabelName } from '../../../lib/labels/use-label-name'
import { useProject } from '../../../lib/project/project'
import { useItemKind } from '../../../items'
import { ItemThumb } from '../../../items/item-thumb'
import type { DiffItem } from '../api/types'
import { groupedAnnotations } from '../model/annotation-words'
import { outlineOf } from '../../../canvas/annotation-outline'
import { changeGroups, type DrawnShape, SHAPE_CHANGES, shapesOfDiff } from '../model/shape-changes'
import { ChangeWords } from './change-words'
import classes from './diff-items.module.css'
import { DiffLook } from './diff-look'
import { DiffThumbs } from './diff-thumbs'
import { LineSample } from './shape-layer'

type Annotations = DiffItem['before']

const NO_LABELS: readonly Label[] = []
const COLORS = { added: 'teal', removed: 'red', changed: 'accent' } as const

/** Items that differ, with their annotations before and after; outlines are drawn on the picture. */
export function DiffItems({ items }: { items: readonly DiffItem[] }) {
  const [looked, setLooked] = useState<string | null>(null)
  const labels = useProject().data?.label_set.labels ?? NO_LABELS
  const labelName = useLabelName()
  const drawn = useMemo(() => {
    const named = (side: Annotations) =>
      side?.map((one) => ('label' in one && one.label ? { ...one, label: labelName(one.label) } : one)) ?? null
    const shown = items.map((item) => ({ ...item, before: named(item.before), after: named(item.after) }))
    return shown.map((item) => ({ item, shapes: shapesOfDiff(item, labels) }))
  }, [items, labels, labelName])
  const pictures = drawn.filter(({ shapes }) => shapes.length > 0).map(({ item }) => item)
  const place = pictures.findIndex(({ item }) => item === looked)
  const open = pictures[place]
  return (
    <>
      {pictures.length > 0 && <Legend />}
      <ul className={classes.list} data-drawn={pictures.length > 0 || undefined}>
        {drawn.map(({ item, shapes }) => (
          <DiffCard key={item.item} item={item} shapes={shapes} onLook={() => setLooked(item.item)} />
        ))}
      </ul>
      {open && (
        <DiffLook
          item={open}
          labels={labels}
          place={place}
          total={pictures.length}
          onStep={(step) => setLooked(pictures[place + step]?.item ?? looked)}
          onClose={() => setLooked(null)}
        />
      )}
    </>
  )
}

function Legend() {
  const { t } = useTranslation('versions')
  return (
    <Group component="ul" gap="md" mb="sm" className={classes.legend} aria-label={t('look.legend')}>
      {SHAPE_CHANGES.map((change) => (
        <Group key={change} component="li" gap={6}>
          <LineSample change={change} />
          <Text size="xs">{t(`look.kind.${change}`)}</Text>
        </Group>
      ))}
    </Group>
  )
}

interface DiffCardProps {
  item: DiffItem
  shapes: readonly DrawnShape[]
  onLook: () => void
}

function DiffCard({ item, shapes, onLook }: DiffCardProps) {
  const { t } = useTranslation('versions')
  const { hasThumbnails } = useItemKind()
  const isMoved = item.split_before !== item.split_after && item.kind === 'changed'
  const isDrawn = shapes.length > 0
  const before = describedOf(item.before, item.gone, isDrawn)
  const after = describedOf(item.after, item.come, isDrawn)
  const hasWords = !isDrawn || [before, after].some(({ annotations }) => annotations?.length)
  return (
    <li className={classes.card} data-drawn={isDrawn || undefined}>
      {isDrawn ? (
        <DiffThumbs item={item} shapes={shapes} onLook={onLook} />
      ) : (
        <ItemThumb item={item} alt={item.name} {...(hasThumbnails ? { size: 88 } : {})} />
      )}
      <div style={{ minWidth: 0 }}>
        <Group gap={6} wrap="nowrap" justify="space-between" mb={isDrawn ? 4 : 0}>
          <Text size="xs" truncate title={item.name}>
            {item.name}
          </Text>
          <Badge size="xs" variant="light" color={COLORS[item.kind]} style={{ flexShrink: 0 }}>
            {t(`diff.kind.${item.kind}`)}
          </Badge>
        </Group>
        {isDrawn && <ChangeWords groups={changeGroups(shapes)} />}
        {hasWords && (
          <div className={classes.sides}>
            <Side {...before} isBefore />
            <IconArrowRight size={14} aria-hidden style={{ marginTop: 2, opacity: 0.6 }} />
            <Side {...after} isBefore={false} />
          </div>
        )}
        {isMoved && (
          <Text size="xs" c="dimmed" mt={4}>
            {t('diff.moved', { before: t(`charts:split.${item.split_before}`), after: t(`charts:split.${item.split_after}`) })}
          </Text>
        )}
        {item.kind === 'changed' && item.aspects.every((aspect) => aspect === 'provenance' || aspect === 'group') && (
          <Text size="xs" c="dimmed" mt={4}>
            {t(item.aspects.includes('provenance') ? 'diff.annotated_by_another' : 'diff.regrouped')}
          </Text>
        )}
      </div>
    </li>
  )
}

interface AnnotationListProps {
  annotations: DiffItem['before']
  /** Places among them of what the other side does not have. */
  different: readonly number[]
}

/** The annotations of one side, without those drawn. */
function describedOf(annotations: DiffItem['before'], different: readonly number[], isDrawn: boolean): AnnotationListProps {
  if (annotations === null || !isDrawn) return { annotations, different }
  const places = annotations.flatMap((one, place) => (outlineOf(one) ? [] : [place]))
  return {
    annotations: places.flatMap((place) => annotations[place] ?? []),
    different: places.flatMap((place, index) => (different.includes(place) ? [index] : [])),
  }
}

interface SideProps extends AnnotationListProps {
  isBefore: boolean
}

function Side({ annotations, different, isBefore }: SideProps) {
  const { t } = useTranslation('versions')
  const nothing = useNothingWord()
  const side = t(isBefore ? 'diff.before' : 'diff.after')
  if (annotations === null)
    return (
      <Text size="xs" c="dimmed" title={side}>
        {t('diff.not_in')}
      </Text>
    )
  if (annotations.length === 0)
    return (
      <Text size="xs" c="dimmed" title={side}>
        {nothing}
      </Text>
    )
  return (
    <div className={classes.side} title={side}>
      {groupedAnnotations(annotations, different).map((group) => (
        <Badge
          key={`${group.kind} ${group.words} ${group.isDifferent}`}
          size="sm"
          tt="none"
          variant={group.isDifferent ? 'light' : 'default'}
          color={isBefore ? 'red' : 'teal'}
          className={group.isDifferent && isBefore ? classes.gone : undefined}
        >
          {group.count > 1 ? `${group.words} × ${group.count}` : group.words}
        </Badge>
      ))}
    </div>
  )
}
