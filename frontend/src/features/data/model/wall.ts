/**
 * The pictures that match a filter, by place, of which only those near the visible ones are in memory. No React in it.
 *
 * The server returns the position of every n-th match; between two such positions lies a segment, which is loaded when it comes
 * into view and dropped when it is far away. A segment is a range of ids, so it stays whole whatever is added or taken away
 * meanwhile: what has left the filter leaves a shorter segment, never a picture shown twice or left out. In an order other than that
 * of ids a segment is a list of ids, and nothing moves until the positions are looked for anew.
 */
import type { Item } from '../../../lib/api/types'

export interface PositionsPart {
  starts: string[]
  segment: number
  num_items: number
  ids?: string[] | null
  next_cursor?: string | null
}

export interface WallSource {
  /** The next part of the positions. */
  positions: (cursor: string | null, signal: AbortSignal) => Promise<PositionsPart>
  /** All matches from the first id on, up to and without the second one. */
  range: (start: string, stop: string, signal: AbortSignal) => Promise<Item[]>
  /** The first matches, before any position is known, and whether there are more. Null where they are known by their positions alone. */
  first: ((signal: AbortSignal) => Promise<{ items: Item[]; isAll: boolean }>) | null
  named: (ids: readonly string[], signal: AbortSignal) => Promise<Item[]>
}

interface Segment {
  start: string
  stop: string
  num: number
  ids?: readonly string[]
}

export interface WallState {
  total: number
  /** No answer yet. */
  isPending: boolean
  /** Positions are still being looked for: the total grows. */
  isSearching: boolean
  error: unknown
  /** Changes whenever a picture shown may have. */
  version: number
}

/** Segments kept in memory around the visible ones. */
const MAX_PAGES = 10

export class Wall {
  private segments: Segment[] = []
  private offsets: number[] = [0]
  private loaded = new Map<string, Item[]>()
  private loading = new Set<string>()
  private stale = new Set<string>()
  /** First and last place in sight. Places, for while the positions are looked for anew the segments are not all there. */
  private seen: [number, number] = [0, 0]
  private readonly ended = new AbortController()
  private readonly listeners = new Set<() => void>()
  private state: WallState = { total: 0, isPending: true, isSearching: true, error: null, version: 0 }

  constructor(private readonly source: WallSource) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  getState = (): WallState => this.state

  /** Loads the first pictures, and meanwhile the positions of all. */
  async start(): Promise<void> {
    await Promise.all([this.loadFirst(), this.loadPositions()])
      .then(() => this.state.error !== null && this.changed({ error: null }))
      .catch((error: unknown) => this.fail(error))
  }

  stop(): void {
    this.ended.abort()
  }

  at(place: number): Item | undefined {
    const index = this.segmentAt(place)
    const segment = this.segments[index]
    return segment && this.loaded.get(segment.start)?.[place - (this.offsets[index] ?? 0)]
  }

  /** The place of a picture in memory. */
  placeOf(id: string): number | undefined {
    for (const [index, segment] of this.segments.entries()) {
      const inside = this.loaded.get(segment.start)?.findIndex((item) => item.id === id) ?? -1
      if (inside >= 0) return (this.offsets[index] ?? 0) + inside
    }
    return undefined
  }

  /** Says which places are visible: their segments are loaded, those far away dropped. */
  show(from: number, to: number): void {
    this.seen = [Math.max(0, from), Math.max(0, to)]
    const [first, last] = this.segmentsSeen()
    for (let index = first; index <= last; index++) this.load(index)
    if (this.loaded.size > 2 * MAX_PAGES)
      for (const [index, segment] of this.segments.entries())
        if (index < first - MAX_PAGES || index > last + MAX_PAGES) this.loaded.delete(segment.start)
  }

  /** Reads anew what is visible; `changed` names the pictures that changed, when it is known. Begins anew where nothing came. */
  refresh(changed?: readonly string[]): void {
    if (this.state.error !== null && this.segments.length === 0) void this.start()
    const [first, last] = this.segmentsSeen()
    for (const [index, segment] of this.segments.entries()) {
      const items = this.loaded.get(segment.start)
      if (!items || (changed && !items.some((item) => changed.includes(item.id)))) continue
      this.stale.add(segment.start)
      if (index >= first && index <= last) this.load(index)
    }
  }

  /** Looks anew where the pictures lie, after some were added. */
  async reposition(): Promise<void> {
    await this.loadPositions()
      .then(() => this.changed({ error: null }))
      .catch((error: unknown) => this.fail(error))
    this.refresh()
  }

  /** Ids of a range of places, loaded for this where need be. */
  async idsBetween(from: number, to: number): Promise<string[]> {
    const ids: string[] = []
    for (let index = this.segmentAt(from); index <= this.segmentAt(to); index++) {
      const segment = this.segments[index]
      if (!segment) break
      const items = this.loaded.get(segment.start)
      const all = items?.map((item) => item.id) ?? segment.ids ?? (await this.fetch(segment)).map((item) => item.id)
      const offset = this.offsets[index] ?? 0
      ids.push(...all.slice(Math.max(0, from - offset), Math.max(0, to - offset + 1)))
    }
    return ids
  }

  /** Takes one picture as it is now, known from a change of it. */
  put(item: Item): void {
    for (const [start, items] of this.loaded) {
      if (!items.some(({ id }) => id === item.id)) continue
      const now = items.map((one) => (one.id === item.id ? item : one))
      this.loaded.set(start, now)
      // What is on its way may be older.
      if (this.loading.has(start)) this.stale.add(start)
      this.changed({})
    }
  }

  /** Number of pictures in memory. */
  get numLoaded(): number {
    return [...this.loaded.values()].reduce((sum, items) => sum + items.length, 0)
  }

  private async loadFirst(): Promise<void> {
    if (!this.source.first) return
    const { items, isAll } = await this.source.first(this.ended.signal)
    if (this.segments.length === 0 && items[0]) {
      this.segments = [{ start: items[0].id, stop: '', num: items.length }]
      this.loaded.set(items[0].id, items)
    } else if (items[0] && this.segments[0]?.start === items[0].id && !this.loaded.has(items[0].id)) {
      const num = this.segments[0].num
      if (items.length >= num) this.loaded.set(items[0].id, items.slice(0, num))
    }
    this.changed({ isPending: items.length === 0 && !isAll })
  }

  private async loadPositions(): Promise<void> {
    let cursor: string | null = null
    let segments: Segment[] = []
    do {
      const part: PositionsPart = await this.source.positions(cursor, this.ended.signal)
      const added = part.starts.map((start, index): Segment => {
        const from = index * part.segment
        const num = Math.min(part.segment, part.num_items - from)
        return { start, stop: part.starts[index + 1] ?? '', num, ids: part.ids?.slice(from, from + num) }
      })
      const last = segments.at(-1)
      if (last && added[0]) last.stop = added[0].start
      segments = [...segments, ...added]
      cursor = part.next_cursor ?? null
      this.take(segments, cursor !== null)
    } while (cursor !== null && !this.ended.signal.aborted)
  }

  private take(segments: Segment[], isSearching: boolean): void {
    const before = this.segments[0] && this.loaded.get(this.segments[0].start)
    this.segments = segments
    for (const segment of segments) {
      const items = this.loaded.get(segment.start)
      if (!items) continue
      // The first pictures came before it was known where their segment ends.
      const named = segment.ids && new Set(segment.ids)
      const inside = items.filter(({ id }) => (named ? named.has(id) : !segment.stop || id < segment.stop))
      if (items === before && inside.length < segment.num) this.loaded.delete(segment.start)
      else this.loaded.set(segment.start, inside)
    }
    this.changed({ isSearching, isPending: this.state.isPending && isSearching && segments.length === 0 })
    this.show(...this.seen)
  }

  private load(index: number): void {
    const segment = this.segments[index]
    if (!segment || this.loading.has(segment.start) || (this.loaded.has(segment.start) && !this.stale.has(segment.start))) return
    this.loading.add(segment.start)
    this.stale.delete(segment.start)
    void this.fetch(segment)
      .finally(() => this.loading.delete(segment.start))
      .then((items) => {
        this.loaded.set(segment.start, items)
        segment.num = items.length
        this.changed({ error: null })
        // Something in it changed while it was on its way.
        if (this.stale.has(segment.start)) this.load(this.segments.findIndex(({ start }) => start === segment.start))
      })
      .catch((error: unknown) => {
        this.stale.add(segment.start)
        this.fail(error)
      })
  }

  private fetch(segment: Segment): Promise<Item[]> {
    if (segment.ids) return this.named(segment.ids)
    return this.source.range(segment.start, segment.stop, this.ended.signal)
  }

  /** In the order in which they were named. */
  private async named(ids: readonly string[]): Promise<Item[]> {
    const found = new Map((await this.source.named(ids, this.ended.signal)).map((item) => [item.id, item]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  /** First and last segment in sight; none where they are not known. */
  private segmentsSeen(): [number, number] {
    const [from, to] = this.seen
    return from < this.state.total ? [this.segmentAt(from), this.segmentAt(Math.min(to, this.state.total - 1))] : [0, -1]
  }

  private segmentAt(place: number): number {
    let [low, high] = [0, this.segments.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.offsets[middle] ?? 0) <= place) low = middle
      else high = middle - 1
    }
    return Math.max(0, low)
  }

  private fail(error: unknown): void {
    if (!this.ended.signal.aborted) this.changed({ error, isPending: false, isSearching: false })
  }

  private changed(change: Partial<WallState>): void {
    let sum = 0
    this.offsets = this.segments.map((segment) => (sum += segment.num) - segment.num)
    this.state = { ...this.state, ...change, total: sum, version: this.state.version + 1 }
    this.listeners.forEach((listener) => listener())
  }
}
