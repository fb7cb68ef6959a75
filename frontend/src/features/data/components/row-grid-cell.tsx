import { useTranslation } from 'react-i18next'

import { isMissing } from '../../../lib/table/cells'
import type { ShownColumn } from '../../../ui/grid/grid-head'
import grid from '../../../ui/grid/grid.module.css'
import type { CellEdit } from '../model/cell-edits'
import { CellEditor, type CellEditorProps } from './cell-editor'
import classes from './row-grid.module.css'

interface RowGridCellProps {
  shown: ShownColumn
  cell: string | undefined
  /** A change that is not acknowledged: its text is shown. */
  edit: CellEdit | undefined
  canEdit: boolean
  isTabStop: boolean
  /** Where the cell is being changed. */
  editor: Omit<CellEditorProps, 'column' | 'error'> | null
  onFocus: () => void
  onEdit: () => void
}

/** A cell of the grid: what it holds, or a field to change it; what the server does not have yet is marked. */
export function RowGridCell({ shown, cell, edit, canEdit, isTabStop, editor, onFocus, onEdit }: RowGridCellProps) {
  const { t } = useTranslation('cells')
  const { column, place, left_px, width_px } = shown
  const text = edit ? edit.text : cell
  const isEmpty = text === undefined || isMissing(text)
  return (
    <div
      className={`${grid.cell} ${classes.cell}`}
      role="gridcell"
      aria-colindex={place + 1}
      aria-readonly={!canEdit}
      aria-busy={edit?.state === 'sending' || undefined}
      aria-invalid={(edit && edit.state !== 'sending') || undefined}
      tabIndex={isTabStop ? 0 : -1}
      style={{ left: left_px, width: width_px }}
      data-column={place}
      data-kind={column.kind}
      data-ignored={column.role === 'ignored' || undefined}
      data-edit={edit?.state}
      data-open={editor !== null || undefined}
      title={editor ? undefined : edit ? `${text || t('empty')} (${t(edit.state)})` : text}
      dir="auto"
      onFocus={onFocus}
      onDoubleClick={
        canEdit
          ? (event) => {
              event.stopPropagation()
              onEdit()
            }
          : undefined
      }
    >
      {editor ? (
        <CellEditor column={column} {...editor} error={edit?.error} />
      ) : isEmpty ? (
        <span className={grid.missing}>{text || t('common:cell.missing')}</span>
      ) : (
        text
      )}
    </div>
  )
}
