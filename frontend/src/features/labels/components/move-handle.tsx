import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './label-row.module.css'

interface MoveHandleProps {
  name: string
  index: number
  total: number
  onMove: (step: number) => void
  onDrag: (step: number | null) => void
}

/** Moves a row of a list: dragged by mouse, pen or finger, or by the arrow keys. The rows are siblings. */
export function MoveHandle({ name, index, total, onMove, onDrag }: MoveHandleProps) {
  const { t } = useTranslation('labels')
  const dragged = useRef<number | null>(null)
  const show = (step: number | null) => {
    if (dragged.current !== step) onDrag(step)
    dragged.current = step
  }
  const down = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    show(0)
  }
  const move = (event: PointerEvent<HTMLButtonElement>) => {
    if (dragged.current !== null) show(placeAt(event.currentTarget, event.clientY) - index)
  }
  const up = () => {
    const step = dragged.current
    show(null)
    if (step) onMove(step)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') show(null)
    const step = { ArrowUp: -1, ArrowDown: 1, Home: -index, End: total - 1 - index }[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (index + step >= 0 && index + step < total && step !== 0) onMove(step)
  }
  return (
    <ActionIcon
      className={classes.handle}
      aria-label={t('move', { name, place: index + 1, total })}
      title={t('move_about')}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => show(null)}
      onKeyDown={key}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  )
}

/** The place that the row of the handle would have among the others if it stood there. */
function placeAt(handle: Element, y: number): number {
  const own = handle.closest(`.${classes.row}`)
  const others = [...(own?.parentElement?.children ?? [])].filter((row) => row !== own)
  return others.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return (top + bottom) / 2 < y
  }).length
}
