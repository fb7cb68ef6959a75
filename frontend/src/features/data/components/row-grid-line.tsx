import { ActionIcon } from '@mantine/core'
import { IconCheck, IconHistory } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { annotationText } from '../../../answers'
import type { Item, Label } from '../../../lib/api/types'
import { CommentBadge } from '../../../ui/comments/comment-badge'
import type { ShownColumn } from '../../../ui/grid/grid-head'
import grid from '../../../ui/grid/grid.module.css'
import { type CellEdit, editOf } from '../model/cell-edits'
import type { CellEditorProps } from './cell-editor'
import type { ClickEvent } from './gallery-cell'
import { RowGridCell } from './row-grid-cell'
import classes from './row-grid.module.css'

interface RowGridLineProps {
  item: Item
  place: number
  top_px: number
  columns: readonly ShownColumn[]
  target_px: number
  labels: readonly Label[]
  isSelected: boolean
  /** The column of the cell that Tab leads to; null where it is in another row. */
  tabStop: number | null
  numComments: number | undefined
  pending: ReadonlyMap<string, CellEdit>
  canEdit: boolean
  /** The column whose cell is being changed, and its field. */
  editing: string | null
  editor: Omit<CellEditorProps, 'column' | 'error'>
  onSelect: (event: ClickEvent) => void
  onFocus: (column: number) => void
  onEdit: (column: number) => void
  onOpen: () => void
  onDiscuss: () => void
  onHistory: () => void
}

/** One row: its annotation first, then its cells. */
export function RowGridLine({ item, place, top_px, columns, target_px, ...line }: RowGridLineProps) {
  const { labels, isSelected, tabStop, numComments, pending, canEdit, editing, editor } = line
  const { t } = useTranslation('data')
  const annotations = annotationsText(item)
  const color = labels.find(({ name }) => name === annotations)?.color
  return (
    <div
      className={grid.line}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      aria-label={`${item.name}, ${annotations ?? t('gallery.unlabelled')}`}
      data-index={place}
      data-odd={place % 2 || undefined}
      data-open={editing !== null || undefined}
      style={{ top: top_px }}
      onClick={(event) => {
        // Right of the last cell there is none to take the focus.
        if (event.target === event.currentTarget)
          event.currentTarget.querySelector<HTMLElement>('[data-column]')?.focus({ preventScroll: true })
        line.onSelect(event)
      }}
      onDoubleClick={line.onOpen}
    >
      <div
        className={grid.pinned}
        role="gridcell"
        aria-colindex={1}
        aria-readonly
        aria-description={t('cells:to_target')}
        tabIndex={tabStop === 0 ? 0 : -1}
        style={{ width: target_px }}
        data-column={0}
        data-target
        title={t('cells:to_target')}
        onFocus={() => line.onFocus(0)}
      >
        {isSelected ? (
          <IconCheck size={13} stroke={3} className={classes.check} aria-hidden />
        ) : (
          <span className={classes.dot} data-mark style={{ background: color }} />
        )}
        <span className={annotations === null ? grid.missing : classes.annotations} title={annotations ?? undefined}>
          {annotations ?? t('gallery.unlabelled')}
        </span>
        <ActionIcon
          className={classes.history}
          size="sm"
          tabIndex={-1}
          aria-label={t('cells:history.open')}
          title={t('cells:history.open')}
          onClick={(event) => {
            event.stopPropagation()
            line.onHistory()
          }}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          <IconHistory size={14} />
        </ActionIcon>
        <CommentBadge count={numComments} onOpen={line.onDiscuss} />
      </div>
      {columns.map((shown) => (
        <RowGridCell
          key={shown.column.name}
          shown={shown}
          cell={item.row?.cells[shown.column.name]}
          edit={editOf(pending, item.id, shown.column.name)}
          canEdit={canEdit}
          isTabStop={tabStop === shown.place}
          editor={editing === shown.column.name ? editor : null}
          onFocus={() => line.onFocus(shown.place)}
          onEdit={() => line.onEdit(shown.place)}
        />
      ))}
    </div>
  )
}

/** The category or number annotated on a row; null without one. */
function annotationsText({ state, annotations }: Item): string | null {
  if (state === 'unlabelled') return null
  const [first] = annotations
  return first ? annotationText(first) : null
}
