/** Connected areas of a mask and of what it leaves free, found run by run: the cost follows the outline, not the number of pixels. */
import type { Bounds } from '../../coordinates'
import { MaskTiles } from './tiles'

/** Part of a column: x, from, to (exclusive). */
export type Run = readonly [x: number, from: number, to: number]

/** The runs of a mask in order, each as long as it is. */
export function runsOf(mask: MaskTiles): Run[] {
  const runs: [number, number, number][] = []
  mask.forEachRun((x, from, to) => {
    const last = runs.at(-1)
    if (last && last[0] === x && last[2] === from) last[2] = to
    else runs.push([x, from, to])
  })
  return runs
}

/** The runs between those of a mask, within a rectangle of whole pixels. */
export function freeRunsOf(mask: MaskTiles, { minX, minY, maxX, maxY }: Bounds): Run[] {
  const free: Run[] = []
  let [column, end] = [minX, minY]
  const close = (upTo: number) => {
    for (; column < upTo; column += 1, end = minY) if (end < maxY) free.push([column, end, maxY])
  }
  for (const [x, from, to] of runsOf(mask)) {
    if (x < minX || x >= maxX) continue
    close(x)
    if (from > end) free.push([x, end, Math.min(from, maxY)])
    end = Math.max(end, to)
  }
  close(maxX)
  return free
}

/** Runs that hang together, in groups. With `isDiagonal` pixels that touch at a corner do too. */
export function connected(runs: readonly Run[], isDiagonal: boolean): Run[][] {
  const leaders = Int32Array.from(runs, (_, index) => index)
  const leaderOf = (index: number): number => {
    let at = index
    while (leaders[at] !== at) {
      leaders[at] = leaders[leaders[at] as number] as number
      at = leaders[at] as number
    }
    return at
  }
  const slack = isDiagonal ? 1 : 0
  let before = 0
  for (const [index, [x, from, to]] of runs.entries()) {
    while (before < index && endsBefore(runs[before] as Run, x, from, slack)) before += 1
    for (let at = before; at < index; at += 1) {
      const [otherX, otherFrom] = runs[at] as Run
      if (otherX >= x || otherFrom >= to + slack) break
      leaders[leaderOf(index)] = leaderOf(at)
    }
  }
  const groups = new Map<number, Run[]>()
  for (const [index, run] of runs.entries()) {
    const leader = leaderOf(index)
    const group = groups.get(leader)
    if (group) group.push(run)
    else groups.set(leader, [run])
  }
  return [...groups.values()]
}

/** Whether a run cannot touch one that begins there, nor any after that. */
const endsBefore = ([x, , to]: Run, otherX: number, otherFrom: number, slack: number) =>
  x < otherX - 1 || (x === otherX - 1 && to + slack <= otherFrom)

export function maskOf(runs: readonly Run[], { width, height }: { width: number; height: number }): MaskTiles {
  const mask = new MaskTiles(width, height)
  for (const [x, from, to] of runs) mask.setRun(x, from, to)
  return mask
}

export const areaOf = (runs: readonly Run[]): number => runs.reduce((sum, [, from, to]) => sum + to - from, 0)

export const holds = (runs: readonly Run[], x: number, y: number): boolean =>
  runs.some(([column, from, to]) => column === Math.floor(x) && from <= y && y < to)

/** How many sides of the rectangle an area touches, 0..4. */
export function sidesTouched(runs: readonly Run[], { minX, minY, maxX, maxY }: Bounds): number {
  const touched = [
    runs.some(([x]) => x === minX),
    runs.some(([x]) => x === maxX - 1),
    runs.some(([, from]) => from === minY),
    runs.some(([, , to]) => to === maxY),
  ]
  return touched.filter(Boolean).length
}

/** The holes of a mask: what it encloses by itself. */
export function holesOf(mask: MaskTiles): Run[][] {
  const bounds = mask.bounds()
  if (!bounds) return []
  return connected(freeRunsOf(mask, bounds), false).filter((runs) => sidesTouched(runs, bounds) === 0)
}

/** The pieces of a mask, the largest first; pixels that touch at a corner hang together. */
export const piecesOf = (mask: MaskTiles): MaskTiles[] =>
  connected(runsOf(mask), true)
    .sort((one, other) => areaOf(other) - areaOf(one))
    .map((runs) => maskOf(runs, mask))

/** Fills holes of at most that many pixels. */
export function fillHoles(mask: MaskTiles, largest = Infinity): void {
  for (const runs of holesOf(mask)) {
    if (areaOf(runs) <= largest) for (const [x, from, to] of runs) mask.setRun(x, from, to)
  }
}
