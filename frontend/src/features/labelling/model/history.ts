/** Undo and redo over items. A plain value: every step gives a new one, so that React sees the change. */

import type { ItemAnnotations } from '../../../answers/annotations'
export interface AnnotationChange {
  item: string
  before: ItemAnnotations
  after: ItemAnnotations
}

export interface History {
  past: readonly AnnotationChange[]
  future: readonly AnnotationChange[]
}

export const EMPTY: History = { past: [], future: [] }
const MAX_STEPS = 500

/** A new change ends what could be redone. */
export function pushed(history: History, change: AnnotationChange): History {
  return { past: [...history.past, change].slice(-MAX_STEPS), future: [] }
}

export interface HistoryStep {
  history: History
  item: string
  annotations: ItemAnnotations
}

/** The last change taken back, or null when there is none. */
export function undone(history: History): HistoryStep | null {
  const change = history.past.at(-1)
  if (!change) return null
  return {
    history: { past: history.past.slice(0, -1), future: [...history.future, change] },
    item: change.item,
    annotations: change.before,
  }
}

/** The change taken back last done again, or null when there is none. */
export function redone(history: History): HistoryStep | null {
  const change = history.future.at(-1)
  if (!change) return null
  return { history: { past: [...history.past, change], future: history.future.slice(0, -1) }, item: change.item, annotations: change.after }
}
