import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

import type { Cursor } from '../../lib/table/grid-cursor'

/** The cell of a grid that the keys act on. Cells that are not there yet take the focus as soon as they are. */
export function useCursor(frame: RefObject<HTMLElement | null>, show: (to: Cursor) => void) {
  const [active, setActive] = useState<Cursor>({ place: 0, column: 0 })
  const isPending = useRef(false)
  // Before the next key is heard: a focus that came later would lead back.
  useLayoutEffect(() => {
    const box = frame.current
    if (!isPending.current || !box) return
    const focused = document.activeElement
    // Whoever has gone elsewhere meanwhile stays there.
    if (focused && focused !== document.body && !box.contains(focused)) {
      isPending.current = false
      return
    }
    const cell = box.querySelector<HTMLElement>(`[data-index="${active.place}"] [data-column="${active.column}"]`)
    isPending.current = cell === null
    // The frame hears the keys until the row is loaded.
    const next = cell ?? box
    next.focus({ preventScroll: true })
  })
  const goFocus = (to: Cursor) => {
    isPending.current = true
    setActive({ ...to })
    show(to)
  }
  return { active, setActive, goFocus }
}
