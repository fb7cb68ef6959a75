import { expect, it } from 'vitest'

import { coarseMask, coarsePolygon } from './coarse'
import { MaskTiles } from './tiles'

const [WIDTH, HEIGHT] = [301, 203]

function blob(): MaskTiles {
  const tiles = new MaskTiles(WIDTH, HEIGHT)
  tiles.stroke({ x: 20, y: 30 }, { x: 250, y: 190 }, 25, 1)
  for (let x = 280; x < WIDTH; x += 1) tiles.setRun(x, 0, HEIGHT)
  return tiles
}

it.each([1, 2, 5, 64])('looks at the middle pixel of each cell of %i pixels', (step) => {
  const [fine, middle] = [blob(), Math.floor(step / 2)]
  const coarse = coarseMask({ width: WIDTH, height: HEIGHT, counts: fine.counts() }, step)
  const wrong: string[] = []
  for (let x = 0; x * step + middle < WIDTH; x += 1) {
    for (let y = 0; y * step + middle < HEIGHT; y += 1) {
      if (coarse.has(x, y) !== fine.has(x * step + middle, y * step + middle)) wrong.push(`${x} ${y}`)
    }
  }
  expect(wrong).toEqual([])
})

it('fills outlines on the same grid, without their holes', () => {
  const points: [number, number][] = [
    [0, 0],
    [8, 0],
    [8, 8],
    [0, 8],
  ]
  const hole: [number, number][] = [
    [4, 4],
    [8, 4],
    [8, 8],
    [4, 8],
  ]
  const coarse = coarsePolygon({ points, holes: [hole] }, 16, 16, 4)
  expect([coarse.has(0, 0), coarse.has(1, 1), coarse.has(2, 0)]).toEqual([true, false, false])
})
