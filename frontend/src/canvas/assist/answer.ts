/**
 * One object that is being clicked at: each click starts from the mask before it, and a click that is taken back brings the mask
 * before it at once. The network comes as a function, so that this part needs no browser.
 */
import type { Bounds, Size } from '../coordinates'
import type { AssistClick } from './assist'
import { chances, discs, resampled, runsOf } from './grid'
import { betterWindow, firstWindow, GRID, holds, NUM_LOOKS } from './window'

/** Logits on the grid for a window, the clicks and the chances of the mask so far (zeros when there is none). */
export type Look = (window: Bounds, discs: Float32Array, mask: Float32Array) => Promise<Float32Array>

interface Answer {
  window: Bounds
  logits: Float32Array
}

export class Clicking {
  private clicks: readonly AssistClick[] = []
  private answers: Answer[] = []

  constructor(
    private readonly picture: Size,
    private readonly look: Look,
  ) {}

  /** The mask for the clicks, as runs. Those of the last time are not looked at again. */
  async runs(clicks: readonly AssistClick[], view: Bounds): Promise<Int32Array> {
    const known = this.clicks.findIndex((click, index) => !isSame(click, clicks[index]))
    this.answers.length = Math.min(known < 0 ? this.clicks.length : known, clicks.length, this.answers.length)
    this.clicks = clicks
    for (let count = this.answers.length + 1; count <= clicks.length; count += 1) {
      this.answers.push(await this.answered(clicks.slice(0, count), view, this.answers.at(-1)))
    }
    const last = this.answers.at(-1)
    return last ? runsOf(last.logits, last.window, this.picture) : new Int32Array(0)
  }

  private async answered(clicks: readonly AssistClick[], view: Bounds, before: Answer | undefined): Promise<Answer> {
    const isKept = before && clicks.every((click) => holds(before.window, click))
    let window = isKept ? before.window : firstWindow(clicks, view, this.picture)
    let logits = await this.seen(window, clicks, before)
    for (let number = 1; number < NUM_LOOKS; number += 1) {
      const better = betterWindow(window, logits, clicks, this.picture)
      if (!better) break
      logits = await this.seen(better, clicks, { window, logits })
      window = better
    }
    return { window, logits }
  }

  private seen(window: Bounds, clicks: readonly AssistClick[], before: Answer | undefined): Promise<Float32Array> {
    const mask = before ? chances(resampled(before.logits, before.window, window)) : new Float32Array(GRID * GRID)
    return this.look(window, discs(clicks, window), mask)
  }
}

const isSame = (one: AssistClick, other: AssistClick | undefined) =>
  other !== undefined && one.isPositive === other.isPositive && one.point.x === other.point.x && one.point.y === other.point.y
