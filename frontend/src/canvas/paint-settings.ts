/** How one person paints; nothing of it is stored with the item. */
import { Signal } from './signal'

/** What happens to the pixels of others: they lose them, they keep them, or both have them. */
export type OverlapRule = 'over' | 'keep' | 'both'

export interface Painted {
  overlap: OverlapRule
  /** Brush and eraser take only colours like the one in their middle. */
  isSmart: boolean
  /** How far red, green or blue may be from the colour that was pointed at, 0..255. */
  tolerance: number
}

export const LARGEST_TOLERANCE = 120

export class PaintSettings implements Painted {
  readonly changed = new Signal()
  overlap: OverlapRule = 'both'
  isSmart = false
  tolerance = 24
  /** The rules that a person may choose from; none where objects do not meet. */
  rules: readonly OverlapRule[] = []
  /** Each pixel has one label at most: what lies above hides what lies below. */
  hasOneLabelAPixel = false

  set(change: Partial<Painted>): void {
    Object.assign(this, change)
    this.tolerance = Math.min(Math.max(Math.round(this.tolerance), 0), LARGEST_TOLERANCE)
    this.changed.emit()
  }

  /** What may be chosen where masks meet, first the rule at the beginning. */
  offer(rules: readonly [OverlapRule, ...OverlapRule[]], hasOneLabelAPixel: boolean): void {
    this.rules = rules
    this.hasOneLabelAPixel = hasOneLabelAPixel
    this.set({ overlap: rules[0] })
  }

  nextRule(): void {
    const next = this.rules[(this.rules.indexOf(this.overlap) + 1) % this.rules.length]
    if (next) this.set({ overlap: next })
  }
}
