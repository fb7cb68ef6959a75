import { useEffect } from 'react'

import type { Editor } from '../../../canvas/editor'
import type { OverlapRule, Painted } from '../../../canvas/paint-settings'
import { useMe } from '../../../lib/session/session'

export interface Overlap {
  /** Under which name a person's choice is kept. */
  kind: string
  /** What may be chosen; the first one at the beginning. */
  rules: readonly [OverlapRule, ...OverlapRule[]]
  hasOneLabelAPixel: boolean
}

/** Gives the canvas the rules for masks that meet, and keeps in this browser how each person paints. */
export function usePaintSettings(canvas: Editor, overlap: Overlap | undefined): void {
  const person = useMe().data?.id
  useEffect(() => {
    if (!overlap || person === undefined) return
    const { paint } = canvas
    const place = `modelyard.painting.${overlap.kind}.${person}`
    paint.offer(overlap.rules, overlap.hasOneLabelAPixel)
    paint.set(keptAt(place, overlap))
    return paint.changed.subscribe(() => {
      const { isSmart, tolerance } = paint
      localStorage.setItem(place, JSON.stringify({ overlap: paint.overlap, isSmart, tolerance } satisfies Painted))
    })
  }, [canvas, overlap, person])
}

/** What was kept, as far as it still means something. */
export function keptAt(place: string, { rules }: Overlap): Partial<Painted> {
  const text = localStorage.getItem(place)
  const found = text ? (JSON.parse(text) as Partial<Record<keyof Painted, unknown>>) : {}
  const rule = rules.find((each) => each === found.overlap)
  return {
    ...(rule && { overlap: rule }),
    ...(typeof found.isSmart === 'boolean' && { isSmart: found.isSmart }),
    ...(typeof found.tolerance === 'number' && { tolerance: found.tolerance }),
  }
}
