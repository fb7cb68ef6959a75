import { expect, it } from 'vitest'

import { Clicking, type Look } from './answer'
import type { AssistClick } from './assist'
import { discs, resampled, runsOf } from './grid'
import { betterWindow, firstWindow, GRID, heightOf, NUM_LOOKS, widthOf } from './window'

const PICTURE = { width: 640, height: 480 }
const ALL = { minX: 0, minY: 0, maxX: 640, maxY: 480 }
const click = (x: number, y: number, isPositive = true): AssistClick => ({ point: { x, y }, isPositive })

/** A network that knows the answer: one disc of the picture, as it looks in the window. */
const seeing = (x: number, y: number, radius: number, windows: object[] = []): Look => {
  return (window) => {
    windows.push(window)
    const logits = Float32Array.from({ length: GRID * GRID }, (_, cell) => {
      const px = window.minX + (((cell % GRID) + 0.5) * widthOf(window)) / GRID
      const py = window.minY + ((Math.floor(cell / GRID) + 0.5) * heightOf(window)) / GRID
      return (radius - Math.hypot(px - x, py - y)) / 4
    })
    return Promise.resolve(logits)
  }
}

const areaOf = (runs: Int32Array) =>
  runs.reduce((sum, _, at) => (at % 3 === 2 ? sum + (runs[at] as number) - (runs[at - 1] as number) : sum), 0)

it('makes pixels of the grid that are right to a thousandth, and looks closer at what is small', async () => {
  const windows: object[] = []
  const runs = await new Clicking(PICTURE, seeing(200, 150, 40, windows)).runs([click(210, 150)], ALL)
  expect(Math.abs(areaOf(runs) / (Math.PI * 40 ** 2) - 1)).toBeLessThan(0.001)
  expect(windows).toHaveLength(2)
  expect(windows[1]).toMatchObject({ minX: expect.closeTo(134, -1) as number, maxX: expect.closeTo(266, -1) as number })
})

it('looks at more where the object goes on beyond what is seen', async () => {
  const windows: { maxX: number }[] = []
  const runs = await new Clicking(PICTURE, seeing(320, 240, 120, windows)).runs([click(330, 240)], {
    minX: 250,
    minY: 180,
    maxX: 400,
    maxY: 300,
  })
  expect(Math.abs(areaOf(runs) / (Math.PI * 120 ** 2) - 1)).toBeLessThan(0.05)
  expect(windows).toHaveLength(NUM_LOOKS)
})

it('asks the network nothing about a click that is taken back', async () => {
  const windows: object[] = []
  const clicking = new Clicking(PICTURE, seeing(300, 200, 110, windows))
  const [one, two] = [click(300, 200), click(380, 200)]
  const first = await clicking.runs([one], ALL)
  const looks = windows.length
  await clicking.runs([one, two], ALL)
  expect(windows).toHaveLength(looks + 1)
  expect(await clicking.runs([one], ALL)).toEqual(first)
  expect(windows).toHaveLength(looks + 1)
})

it('never leaves the picture with a window, and keeps all clicks in it', () => {
  for (const [x, y] of [
    [0, 0],
    [639, 479],
    [320, 5],
  ] as const) {
    for (const view of [ALL, { minX: -500, minY: -500, maxX: 2000, maxY: 900 }, { minX: 600, minY: 0, maxX: 900, maxY: 50 }]) {
      const window = firstWindow([click(x, y)], view, PICTURE)
      expect(window.minX >= 0 && window.minY >= 0 && window.maxX <= 640 && window.maxY <= 480).toBe(true)
      expect(x >= window.minX && x < window.maxX && y >= window.minY && y < window.maxY).toBe(true)
    }
  }
  const wide = firstWindow([click(1000, 50)], { minX: 0, minY: 0, maxX: 4000, maxY: 300 }, { width: 4000, height: 300 })
  expect([widthOf(wide), heightOf(wide)]).toEqual([400, 300])
})

it('finds nothing in a window without an object', async () => {
  const none: Look = () => Promise.resolve(new Float32Array(GRID * GRID).fill(-3))
  expect(await new Clicking(PICTURE, none).runs([click(1, 1)], ALL)).toHaveLength(0)
  expect(betterWindow(ALL, new Float32Array(GRID * GRID).fill(-3), [click(1, 1)], PICTURE)).toBeNull()
})

it('draws discs where the clicks are, each sign on its own plane', () => {
  const maps = discs([click(100, 120), click(500, 400, false)], ALL)
  const [positive, negative] = [maps.subarray(0, GRID * GRID), maps.subarray(GRID * GRID)]
  expect(positive[32 * GRID + 20]).toBe(1)
  expect(negative[106 * GRID + 100]).toBe(1)
  const set = (plane: Float32Array) => plane.reduce((sum, value) => sum + value, 0)
  expect([set(positive), set(negative)].every((count) => count >= 24 && count <= 32)).toBe(true)
})

it('carries a mask onto another window', async () => {
  const look = seeing(200, 150, 40)
  const [from, to] = [ALL, { minX: 100, minY: 50, maxX: 300, maxY: 250 }]
  const empty = new Float32Array(0)
  const there = resampled(await look(from, empty, empty), from, to)
  expect(Math.abs(areaOf(runsOf(there, to, PICTURE)) / (Math.PI * 40 ** 2) - 1)).toBeLessThan(0.02)
  const back = resampled(there, to, from)
  expect(back[0]).toBe(-20)
})
