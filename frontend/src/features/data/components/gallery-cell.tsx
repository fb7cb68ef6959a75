import { Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ComponentType, CSSProperties, MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'

import type { LineProps } from '../../../items/kind'
import type { Item, Label } from '../../../lib/api/types'
import { useLabelName } from '../../../lib/labels/use-label-name'
import { useStacked } from '../../../lib/labels/use-stacked'
import { AnnotatedThumb } from '../../../answers/annotated-thumb'
import { CommentBadge } from '../../../ui/comments/comment-badge'
import classes from './gallery.module.css'

export type ClickEvent = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>

interface GalleryCellProps {
  /** In a word: annotated as empty. */
  nothing: string
  item: Item
  labels: readonly Label[]
  search: string
  /** What stands in the lines of the wall; absent in one of tiles. */
  Line: ComponentType<LineProps> | undefined
  height_px: number
  /** Lines of a text that are shown. */
  lines: number
  place: number
  total: number
  isActive: boolean
  isSelected: boolean
  onSelect: (place: number, event: ClickEvent) => void
  onOpen: (item: Item) => void
  numComments: number | undefined
  onDiscuss: (item: Item) => void
}

/** One item of the wall: a picture above its label and name, or a text beside them. */
export function GalleryCell({ item, labels, nothing, place, total, ...cell }: GalleryCellProps) {
  const { t } = useTranslation('data')
  const { search, Line, height_px, lines, isActive, isSelected, onSelect, onOpen, numComments, onDiscuss } = cell
  const names = [
    ...new Set(item.annotations.flatMap((annotation) => ('label' in annotation && annotation.label ? [annotation.label] : []))),
  ]
  const color = labels.find(({ name }) => name === names[0])?.color
  const labelName = useLabelName()
  const stacked = useStacked()
  const shown = names.map(labelName)
  const description = item.state === 'unlabelled' ? t('gallery.unlabelled') : shown.join(', ') || nothing
  return (
    <div
      role="option"
      aria-selected={isSelected}
      aria-label={`${item.name}, ${description}`}
      aria-posinset={place + 1}
      aria-setsize={total}
      tabIndex={isActive ? 0 : -1}
      data-index={place}
      className={classes.cell}
      data-text={Line !== undefined || undefined}
      data-lines={Line ? lines : undefined}
      style={Line ? ({ height: height_px, '--text-lines': lines } as CSSProperties) : undefined}
      onClick={(event) => onSelect(place, event)}
      onDoubleClick={() => onOpen(item)}
    >
      {Line ? (
        <Line item={item} search={search} />
      ) : (
        <AnnotatedThumb item={item} annotations={stacked(item.annotations)} labels={labels} alt="" />
      )}
      <CommentBadge count={numComments} onOpen={() => onDiscuss(item)} />
      {isSelected && (
        <span className={classes.check}>
          <IconCheck size={12} stroke={3} />
        </span>
      )}
      <div className={classes.caption}>
        <Text size="xs" truncate className={classes.label} c={item.state === 'unlabelled' ? 'dimmed' : undefined}>
          <span className={classes.dot} style={{ background: color ?? 'transparent' }} />
          {description}
        </Text>
        <Text size="xs" c="dimmed" truncate title={item.name}>
          {item.name.slice(item.name.lastIndexOf('/') + 1)}
        </Text>
      </div>
    </div>
  )
}
