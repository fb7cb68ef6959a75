/** How one person paints; nothing of it is stored with the item. */
import { Signal } from './signal'

/** What happens to the pixels of others: they lose them, they keep them, both have them, or the label further up in the list has them. */
export type OverlapRule = 'over' | 'keep' | 'both' | 'order'

export interface Painted {
  overlap: OverlapRule
  /** Brush and eraser take only colours like the one in their middle. */
  isSmart: boolean
  /** How far red, green or blue may be from the colour that was pointed at, 0..255. */
  tolerance: number
  /** How far superpixels are apart, as a share of the picture's longer side. */
  superpixel: number
}

export const LARGEST_TOLERANCE = 120
export const SMALLEST_SUPERPIXEL = 1 / 150
export const LARGEST_SUPERPIXEL = 1 / 8

export class PaintSettings implements Painted {
  readonly changed = new Signal()
  overlap: OverlapRule = 'both'
  isSmart = false
  tolerance = 24
  superpixel = 1 / 36
  /** The rules that a person may choose from for the moment; none where objects do not meet. */
  rules: readonly OverlapRule[] = []
  /** Each pixel has one label at most: what lies above hides what lies below. */
  hasOneLabelAPixel = false
  /** Which of two areas lies above is decided by the order of their labels, not by when they were drawn. */
  isByLabel = false

  set(change: Partial<Painted>): void {
    Object.assign(this, change)
    this.tolerance = Math.min(Math.max(Math.round(this.tolerance), 0), LARGEST_TOLERANCE)
    this.superpixel = Math.min(Math.max(this.superpixel, SMALLEST_SUPERPIXEL), LARGEST_SUPERPIXEL)
    this.changed.emit()
  }

  /** Begins with the project's rule for masks that meet; the others that its task knows may be chosen for the moment. */
  begin(overlap: OverlapRule, rules: readonly OverlapRule[]): void {
    this.hasOneLabelAPixel = rules.includes('order')
    this.isByLabel = overlap === 'order'
    this.rules = this.isByLabel ? rules : rules.filter((rule) => rule !== 'order')
    this.set({ overlap })
  }

  nextRule(): void {
    const next = this.rules[(this.rules.indexOf(this.overlap) + 1) % this.rules.length]
    if (next) this.set({ overlap: next })
  }
}
