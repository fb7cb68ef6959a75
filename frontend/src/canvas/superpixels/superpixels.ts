/** The superpixels of one picture, of whichever size was asked for last. They are computed elsewhere, on a copy, and kept by size. */
import type { Size } from '../coordinates'
import { Signal } from '../signal'
import { Cells } from './cells'
import type { Division, Pixels } from './slic'

/** Divides a copy into superpixels; rejects when it cannot. */
export type Divide = (pixels: Pixels, spacing: number) => Promise<Division>

/** A picture that can also be read smaller. */
export interface CopySource extends Size {
  copy(size: Size): Pixels
}

/** Longer side of the copy, in pixels. */
export const COPY_PX = 1200
/** In pixels of the copy: smaller ones are noise. */
const LEAST_SPACING = 4
/** Sizes that are kept for a picture. */
const MOST_SIZES = 6

export class Superpixels {
  readonly changed = new Signal()
  /** Null before the first are there; of another size while others are computed. */
  cells: Cells | null = null
  state: 'idle' | 'computing' | 'failed' = 'idle'
  private readonly copy: Size
  private readonly known = new Map<number, Cells>()
  private pixels: Pixels | null = null
  private spacing = 0

  constructor(
    private readonly source: CopySource,
    private readonly divide: Divide,
  ) {
    this.copy = copySize(source)
  }

  /** Asks for those that begin `share` of the picture's longer side apart; of sizes asked for meanwhile the last one counts. */
  prepare(share: number): void {
    this.spacing = Math.max(LEAST_SPACING, Math.round(share * Math.max(this.copy.width, this.copy.height)))
    const known = this.known.get(this.spacing)
    if (known) this.cells = known
    if (known || this.state === 'computing') return this.changed.emit()
    void this.compute()
  }

  private async compute(): Promise<void> {
    this.become('computing')
    try {
      while (!this.known.has(this.spacing)) {
        const { spacing } = this
        this.pixels ??= this.source.copy(this.copy)
        this.known.set(spacing, new Cells(this.source, this.copy, await this.divide(this.pixels, spacing)))
        for (const old of [...this.known.keys()].slice(0, -MOST_SIZES)) this.known.delete(old)
      }
      this.cells = this.known.get(this.spacing) ?? null
      this.become('idle')
    } catch {
      this.become('failed')
    }
  }

  private become(state: Superpixels['state']): void {
    this.state = state
    this.changed.emit()
  }
}

function copySize({ width, height }: Size): Size {
  const factor = Math.min(1, COPY_PX / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}
