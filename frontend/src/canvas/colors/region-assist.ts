/** The magic wand behind the interface of the assist: a click means the connected area of its colour. It runs on the page in slices. */
import type { AssistClick, AssistState, MaskAssist } from '../assist/assist'
import { fillHoles } from '../shapes/mask/regions'
import { MaskTiles } from '../shapes/mask/tiles'
import { Signal } from '../signal'
import type { ColorTiles } from './color-tiles'
import { Growth } from './growth'

/** Milliseconds of work before the page may draw a frame. */
const SLICE_MS = 10
/** Clicks whose areas are kept, so that another tolerance costs little. */
const MOST_GROWTHS = 12
/** Holes up to this share of the area, and up to so many pixels, are noise and are filled. */
const NOISE_SHARE = 0.002
const NOISE_PX = 9

export class RegionAssist implements MaskAssist {
  readonly changed = new Signal()
  readonly name = 'magic_wand'
  readonly state: AssistState = { name: 'ready' }
  private readonly growths = new Map<string, Growth>()
  private lastNumber = 0

  constructor(
    private readonly colors: ColorTiles,
    /** The tolerance at the moment, 0..255. */
    private readonly tolerance: () => number,
  ) {}

  prepare(): void {
    // Colours are read where somebody clicks.
  }

  /** Rejects when it is asked again meanwhile. */
  async mask(clicks: readonly AssistClick[]): Promise<MaskTiles> {
    const number = (this.lastNumber += 1)
    const tolerance = this.tolerance()
    const mask = new MaskTiles(this.colors.width, this.colors.height)
    for (const { point, isPositive } of clicks) {
      const growth = this.growthAt(Math.floor(point.x), Math.floor(point.y))
      await this.advanced(growth, tolerance, number)
      const area = growth.mask(tolerance)
      fillHoles(area, Math.max(NOISE_PX, area.area * NOISE_SHARE))
      if (isPositive) mask.add(area)
      else mask.remove(area)
    }
    return mask
  }

  private growthAt(x: number, y: number): Growth {
    const key = `${x},${y}`
    const growth = this.growths.get(key) ?? new Growth(this.colors, x, y)
    this.growths.delete(key)
    this.growths.set(key, growth)
    for (const old of [...this.growths.keys()].slice(0, -MOST_GROWTHS)) this.growths.delete(old)
    return growth
  }

  private async advanced(growth: Growth, tolerance: number, number: number): Promise<void> {
    for (;;) {
      const end = performance.now() + SLICE_MS
      if (growth.advance(tolerance, () => performance.now() > end)) return
      await new Promise((resolve) => setTimeout(resolve))
      if (number !== this.lastNumber) throw new Error('asked again')
    }
  }
}
