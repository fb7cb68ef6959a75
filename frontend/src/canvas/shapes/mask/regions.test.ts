import { expect, it } from 'vitest'

import { connected, fillHoles, freeRunsOf, holesOf, piecesOf, runsOf } from './regions'
import { MaskTiles } from './tiles'

function from(...rows: string[]): MaskTiles {
  const mask = new MaskTiles((rows[0] as string).length, rows.length)
  rows.forEach((row, y) => [...row].forEach((character, x) => character === '#' && mask.setRun(x, y, y + 1)))
  return mask
}

it('finds pieces; corners join those of a mask, and do not open a hole', () => {
  const mask = from('.##..', '#..#.', '.##..', '....#')
  expect(piecesOf(mask).map((piece) => piece.area)).toEqual([6, 1])
  expect(holesOf(mask)).toHaveLength(1)
  expect(holesOf(from('###.', '#.#.', '#..#', '###.'))).toHaveLength(1)
  expect(holesOf(from('###', '#.#', '#.#'))).toEqual([])
})

it('fills only holes that are small enough', () => {
  const mask = from('#########', '#.##....#', '#########')
  fillHoles(mask, 2)
  expect(mask.area).toBe(27 - 4)
  fillHoles(mask)
  expect(mask.area).toBe(27)
})

it('agrees with a flood, pixel by pixel, on a random mask over several tiles', () => {
  const [width, height] = [150, 140]
  let state = 7
  const random = () => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296
  const mask = new MaskTiles(width, height)
  for (let x = 0; x < width; x += 1) for (let y = 0; y < height; y += 1) if (random() < 0.55) mask.setRun(x, y, y + 1)
  const all = { minX: 0, minY: 0, maxX: width, maxY: height }
  const sides = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const
  for (const isSet of [true, false]) {
    const seen = new Set<number>()
    const sizes: number[] = []
    for (let start = 0; start < width * height; start += 1) {
      if (seen.has(start) || mask.has(Math.floor(start / height), start % height) !== isSet) continue
      const open = [start]
      let size = 0
      seen.add(start)
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        size += 1
        const [x, y] = [Math.floor(at / height), at % height]
        for (const [dx, dy] of sides) {
          const next = (x + dx) * height + y + dy
          const isInside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height
          if (!isInside || seen.has(next) || mask.has(x + dx, y + dy) !== isSet) continue
          seen.add(next)
          open.push(next)
        }
      }
      sizes.push(size)
    }
    const found = connected(isSet ? runsOf(mask) : freeRunsOf(mask, all), false).map((runs) =>
      runs.reduce((sum, [, top, bottom]) => sum + bottom - top, 0),
    )
    expect(found.sort((one, other) => one - other)).toEqual(sizes.sort((one, other) => one - other))
  }
})
