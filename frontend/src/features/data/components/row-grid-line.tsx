import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { formatAmount } from '../../../charts/format/format'
import type { Item, Label } from '../../../lib/api/types'
import { isMissing } from '../../../lib/table/cells'
import { CommentBadge } from '../../../ui/comments/comment-badge'
import type { ClickEvent } from './gallery-cell'
import type { ShownColumn } from './row-grid-head'
import classes from './row-grid.module.css'

interface RowGridLineProps {
  item: Item
  place: number
  top_px: number
  columns: readonly ShownColumn[]
  target_px: number
  labels: readonly Label[]
  isSelected: boolean
  isTabStop: boolean
  numComments: number | undefined
  onSelect: (event: ClickEvent) => void
  onOpen: () => void
  onDiscuss: () => void
}

/** One row: what is said of it in front, its cells behind. */
export function RowGridLine({ item, place, top_px, columns, target_px, ...line }: RowGridLineProps) {
  const { labels, isSelected, isTabStop, numComments, onSelect, onOpen, onDiscuss } = line
  const { t } = useTranslation('data')
  const cells = item.row?.cells ?? {}
  const said = saidWords(item)
  const color = labels.find(({ name }) => name === said)?.color
  return (
    <div
      className={classes.line}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      aria-label={`${item.name}, ${said ?? t('gallery.unlabelled')}`}
      tabIndex={isTabStop ? 0 : -1}
      data-index={place}
      data-odd={place % 2 || undefined}
      style={{ top: top_px }}
      onClick={onSelect}
      onDoubleClick={onOpen}
    >
      <div className={classes.pinned} role="gridcell" aria-colindex={1} style={{ width: target_px }} data-target>
        {isSelected ? (
          <IconCheck size={13} stroke={3} className={classes.check} aria-hidden />
        ) : (
          <span className={classes.dot} style={{ background: color }} />
        )}
        <span className={said === null ? classes.missing : classes.said} title={said ?? undefined}>
          {said ?? t('gallery.unlabelled')}
        </span>
        <CommentBadge count={numComments} onOpen={onDiscuss} />
      </div>
      {columns.map(({ column, left_px, width_px }) => {
        const cell = cells[column.name]
        const isEmpty = cell === undefined || isMissing(cell)
        return (
          <div
            key={column.name}
            className={classes.cell}
            role="gridcell"
            style={{ left: left_px, width: width_px }}
            data-kind={column.kind}
            data-ignored={column.role === 'ignored' || undefined}
            title={cell}
            dir="auto"
          >
            {isEmpty ? <span className={classes.missing}>{cell ?? t('common:cell.missing')}</span> : cell}
          </div>
        )
      })}
    </div>
  )
}

/** The category or the number that is said of a row; null while nothing is. */
function saidWords({ state, annotations }: Item): string | null {
  if (state === 'unlabelled') return null
  const [first] = annotations
  if (first?.kind === 'class') return first.label
  return first?.kind === 'value' ? formatAmount(first.value) : null
}
