/** The pictures of the map as typed arrays, and what can be asked of them. Pure. */

export interface Columns {
  readonly items: readonly string[]
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** Whole numbers of the wire: 0..65535. */
const SCALE = 65_535
const CELLS = 128

export interface Points {
  readonly x: Float32Array
  readonly y: Float32Array
  /** Points by the cell of a square grid: those of cell `c` are `order[starts[c]] .. order[starts[c + 1] - 1]`. */
  readonly order: Uint32Array
  readonly starts: Uint32Array
}

const cellOf = (value: number) => Math.min(CELLS - 1, Math.max(0, Math.floor(value * CELLS)))

export function pointsOf({ x, y }: Columns): Points {
  const xs = Float32Array.from(x, (value) => value / SCALE)
  const ys = Float32Array.from(y, (value) => value / SCALE)
  const cells = Uint32Array.from(xs, (value, index) => cellOf(ys[index] ?? 0) * CELLS + cellOf(value))
  const starts = new Uint32Array(CELLS * CELLS + 1)
  for (const cell of cells) starts[cell + 1] = (starts[cell + 1] ?? 0) + 1
  for (let cell = 1; cell < starts.length; cell += 1) starts[cell] = (starts[cell] ?? 0) + (starts[cell - 1] ?? 0)
  const next = starts.slice()
  const order = new Uint32Array(cells.length)
  cells.forEach((cell, index) => {
    order[next[cell] ?? 0] = index
    next[cell] = (next[cell] ?? 0) + 1
  })
  return { x: xs, y: ys, order, starts }
}

/** Calls with each point of a rectangle of the map; cells at its edge are taken whole, so the caller tests what must be exact. */
function eachNear(points: Points, x0: number, y0: number, x1: number, y1: number, visit: (index: number) => void): void {
  for (let row = cellOf(y0); row <= cellOf(y1); row += 1) {
    const from = points.starts[row * CELLS + cellOf(x0)] ?? 0
    const to = points.starts[row * CELLS + cellOf(x1) + 1] ?? 0
    for (let at = from; at < to; at += 1) visit(points.order[at] ?? 0)
  }
}

/** Points in a rectangle of the map. */
export function inRectangle(points: Points, x0: number, y0: number, x1: number, y1: number, isShown: (index: number) => boolean): number[] {
  const found: number[] = []
  eachNear(points, x0, y0, x1, y1, (index) => {
    const x = points.x[index] ?? 0
    const y = points.y[index] ?? 0
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1 && isShown(index)) found.push(index)
  })
  return found.sort((one, other) => one - other)
}

/** The nearest point within a distance, all in units of the map; -1 when there is none. */
export function nearest(points: Points, x: number, y: number, within: number, isShown: (index: number) => boolean): number {
  let best = -1
  let least = within * within
  eachNear(points, x - within, y - within, x + within, y + within, (index) => {
    const dx = (points.x[index] ?? 0) - x
    const dy = (points.y[index] ?? 0) - y
    const distance = dx * dx + dy * dy
    if (distance <= least && isShown(index)) {
      best = index
      least = distance
    }
  })
  return best
}

export type Corner = readonly [number, number]

/** Points inside a drawn line, which is closed by itself (even-odd rule). */
export function inLasso(points: Points, lasso: readonly Corner[], isShown: (index: number) => boolean): number[] {
  if (lasso.length < 3) return []
  const xs = lasso.map(([x]) => x)
  const ys = lasso.map(([, y]) => y)
  return inRectangle(points, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), isShown).filter((index) =>
    isInside(points.x[index] ?? 0, points.y[index] ?? 0, lasso),
  )
}

function isInside(x: number, y: number, lasso: readonly Corner[]): boolean {
  let inside = false
  let [beforeX, beforeY] = lasso.at(-1) ?? [0, 0]
  for (const [nowX, nowY] of lasso) {
    if (nowY > y !== beforeY > y && x < ((beforeX - nowX) * (y - nowY)) / (beforeY - nowY) + nowX) inside = !inside
    beforeX = nowX
    beforeY = nowY
  }
  return inside
}

/** The next point from one in the direction of an arrow key, in a cone of a quarter circle; -1 when there is none. */
export function neighbour(points: Points, from: number, dx: number, dy: number, isShown: (index: number) => boolean): number {
  const x = points.x[from] ?? 0
  const y = points.y[from] ?? 0
  let best = -1
  let least = Infinity
  for (let index = 0; index < points.x.length; index += 1) {
    const along = ((points.x[index] ?? 0) - x) * dx + ((points.y[index] ?? 0) - y) * dy
    const across = Math.abs(((points.x[index] ?? 0) - x) * dy - ((points.y[index] ?? 0) - y) * dx)
    if (index === from || along <= 0 || across > along || !isShown(index)) continue
    const distance = along + across
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}
