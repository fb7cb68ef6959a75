import { Tooltip } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../../../lib/api/errors'
import { refusalText } from '../../../lib/refusal-text'
import { isMissing, numberOf } from '../../../lib/table/cells'
import type { Column } from '../../../lib/table/columns'
import classes from './row-grid.module.css'

export interface CellEditorProps {
  column: Column
  text: string
  /** Why the text was refused before. */
  error?: unknown
  /** The text is to be saved; then the cell at the left or right is gone to, or this one, or none where the person is elsewhere. */
  onSave: (text: string, step: -1 | 0 | 1 | null) => void
  onCancel: () => void
  /** The cell has left the screen while it was edited. */
  onAway: (text: string) => void
}

/** A field in place of a cell. Texts have lines; all else stays on one. */
export function CellEditor({ column, text: first, error, onSave, onCancel, onAway }: CellEditorProps) {
  const { t } = useTranslation('cells')
  const [text, setText] = useState(first)
  const field = useRef({ isOver: false, text: first })
  const hasLines = column.kind === 'text' || first.includes('\n')
  const isNoNumber = column.kind === 'number' && !isMissing(text) && Number.isNaN(numberOf(text, column.decimal, column.units))
  const message = error !== undefined && text === first ? wordsOf(error) : isNoNumber ? t('no_number') : t(hasLines ? 'help_lines' : 'help')

  const end = (then: () => void) => {
    if (field.current.isOver) return
    field.current.isOver = true
    then()
  }
  const press = (event: KeyboardEvent) => {
    // What is typed belongs to the field: no key of the grid or the page is meant.
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') end(onCancel)
    else if (event.key === 'Enter' && !(hasLines && event.shiftKey)) end(() => onSave(text, 0))
    else if (event.key === 'Tab') end(() => onSave(text, event.shiftKey ? -1 : 1))
    else return
    event.preventDefault()
  }
  const element = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [leave] = useState(() => onAway)
  useEffect(() => {
    const now = field.current
    element.current?.focus({ preventScroll: true })
    element.current?.select()
    return () => {
      if (!now.isOver) leave(now.text)
    }
  }, [leave])
  const shared = {
    ref: element,
    className: classes.editor,
    value: text,
    'aria-label': t('edit', { column: column.name }),
    'aria-invalid': error !== undefined || undefined,
    spellCheck: false,
    autoComplete: 'off',
    dir: 'auto',
    onKeyDown: press,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      field.current.text = currentTarget.value
      setText(currentTarget.value)
    },
    // Another window may be where the text is copied from.
    onBlur: () => document.hasFocus() && end(() => onSave(text, null)),
    onClick: stop,
    onDoubleClick: stop,
  }
  return (
    <Tooltip
      label={message}
      opened
      multiline
      maw={320}
      position="bottom-start"
      color={error !== undefined && text === first ? 'red' : undefined}
    >
      {hasLines ? <textarea {...shared} rows={Math.min(8, Math.max(3, text.split('\n').length + 1))} /> : <input {...shared} type="text" />}
    </Tooltip>
  )
}

const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()

/** A refusal in one sentence or two. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : ''
  const { title, detail, hint } = refusalText(error)
  return [detail || title, hint].filter(Boolean).join(' ')
}
