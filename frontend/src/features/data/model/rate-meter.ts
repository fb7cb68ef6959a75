/** Bytes a second over the last few seconds: steady enough to read, quick enough to show a stall. */

const WINDOW_MS = 8000

export class RateMeter {
  #samples: { at: number; bytes: number }[] = []
  #since: number | null = null

  constructor(private readonly now: () => number) {}

  add(bytes: number): void {
    const at = this.now()
    this.#since ??= at
    this.#samples.push({ at, bytes })
    this.#forget(at)
  }

  rate(): number {
    const at = this.now()
    this.#forget(at)
    if (this.#since === null || !this.#samples.length) return 0
    const span_ms = Math.max(500, Math.min(WINDOW_MS, at - this.#since))
    return (this.#samples.reduce((sum, { bytes }) => sum + bytes, 0) / span_ms) * 1000
  }

  /** Starts anew, so that a pause does not count as slowness. */
  reset(): void {
    this.#samples = []
    this.#since = null
  }

  #forget(at: number): void {
    this.#samples = this.#samples.filter((sample) => at - sample.at <= WINDOW_MS)
  }
}
