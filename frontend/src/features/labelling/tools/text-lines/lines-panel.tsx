import { Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Editor } from '../../../../canvas/editor'
import type { CanvasObject } from '../../../../canvas/object'
import { useSignal } from '../../../../canvas/react/use-signal'
import { lineText, withLineText } from './line-text'
import classes from './lines-panel.module.css'

/** The lines of a picture in reading order, each with a field for what it says: a new one is typed at once. */
export function LinesPanel({ editor }: { editor: Editor }) {
  const { t } = useTranslation('labelling')
  const list = useRef<HTMLOListElement>(null)
  useSignal(editor.changed, editor.selection.changed)
  const lines = editor.document.objects()
  const only = editor.selection.only
  const fieldOf = (id: string) => list.current?.querySelector<HTMLInputElement>(`[data-line="${id}"] input`)
  const chosen = only ? editor.document.get(only) : undefined
  const isUntyped = chosen !== undefined && lineText(chosen) === ''
  useEffect(() => {
    if (only && isUntyped && !editor.isReadOnly) fieldOf(only)?.focus()
  }, [editor, only, isUntyped])

  /** To the next line that says nothing yet, else back to drawing. */
  const goOn = (from: number) => {
    const next = lines.find((line, place) => place > from && lineText(line) === '')
    if (next) editor.selection.set([next.id])
    else document.querySelector<HTMLElement>('[role=application]')?.focus()
  }
  const move = (to: number) => {
    const line = lines[to]
    if (line) fieldOf(line.id)?.focus()
  }
  return (
    <section className={classes.panel} aria-label={t('text_lines.title')}>
      <Text size="xs" fw={600} c="dimmed">
        {t('text_lines.title')}
      </Text>
      {lines.length === 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('text_lines.empty')}
        </Text>
      )}
      <ol className={classes.lines} ref={list}>
        {lines.map((line, place) => (
          <li key={line.id} className={classes.line} data-line={line.id} data-chosen={line.id === only || undefined}>
            <span className={classes.number} aria-hidden>
              {place + 1}
            </span>
            <LineField
              key={lineText(line)}
              line={line}
              label={t('text_lines.line', { number: place + 1 })}
              isReadOnly={editor.isReadOnly}
              onFocus={() => editor.selection.only !== line.id && editor.selection.set([line.id])}
              onWrite={(text) => editor.commit([{ type: 'update', id: line.id, patch: { attributes: withLineText(line, text) } }])}
              onEnter={() => goOn(place)}
              onMove={(step) => move(place + step)}
            />
          </li>
        ))}
      </ol>
      {lines.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('text_lines.illegible')}
        </Text>
      )}
    </section>
  )
}

interface LineFieldProps {
  line: CanvasObject
  label: string
  isReadOnly: boolean
  onFocus: () => void
  onWrite: (text: string) => void
  onEnter: () => void
  onMove: (step: -1 | 1) => void
}

/** What is typed becomes the line's when the field is left, or by Enter; Escape takes it back. */
function LineField({ line, label, isReadOnly, onFocus, onWrite, onEnter, onMove }: LineFieldProps) {
  const known = lineText(line)
  const [text, setText] = useState(known)
  const save = () => {
    const trimmed = text.trim()
    if (trimmed !== known) onWrite(trimmed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      save()
      onEnter()
    } else if (event.key === 'Escape') setText(known)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      onMove(event.key === 'ArrowDown' ? 1 : -1)
    }
  }
  return (
    <TextInput
      size="xs"
      flex={1}
      aria-label={label}
      readOnly={isReadOnly}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onFocus={onFocus}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  )
}
