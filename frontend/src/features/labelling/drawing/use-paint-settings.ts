import { useEffect } from 'react'

import type { Editor } from '../../../canvas/editor'
import type { OverlapRule, Painted } from '../../../canvas/paint-settings'
import type { Project } from '../../../lib/api/types'
import { useTask } from '../../../lib/project/task'
import { useMe } from '../../../lib/session/session'

type Kept = Pick<Painted, 'isSmart' | 'tolerance'>

const NO_RULES: readonly OverlapRule[] = []

/** Gives the canvas the project's rule for areas that meet, and keeps in this browser how each person paints besides. */
export function usePaintSettings(canvas: Editor, { overlap }: Pick<Project, 'overlap'>): void {
  const person = useMe().data?.id
  const rules = useTask().data?.annotation.overlap_rules ?? NO_RULES
  useEffect(() => {
    if (overlap) canvas.paint.begin(overlap, rules)
  }, [canvas, overlap, rules])
  useEffect(() => {
    if (!overlap || person === undefined) return
    const { paint } = canvas
    const place = `modelyard.painting.${person}`
    paint.set(keptAt(place))
    return paint.changed.subscribe(() => {
      const { isSmart, tolerance } = paint
      localStorage.setItem(place, JSON.stringify({ isSmart, tolerance } satisfies Kept))
    })
  }, [canvas, overlap, person])
}

/** What was kept, as far as it still means something. */
function keptAt(place: string): Partial<Kept> {
  const text = localStorage.getItem(place)
  const found = text ? (JSON.parse(text) as Partial<Record<keyof Kept, unknown>>) : {}
  return {
    ...(typeof found.isSmart === 'boolean' && { isSmart: found.isSmart }),
    ...(typeof found.tolerance === 'number' && { tolerance: found.tolerance }),
  }
}
