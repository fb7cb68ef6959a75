import { expect, test } from 'vitest'

import { heatPixels } from './heat'

test('leaves normal places clear and makes the others redder and less transparent', () => {
  const pixels = heatPixels({ width: 3, height: 1, values: btoa(String.fromCharCode(0, 150, 255)) })
  if (!pixels) throw new Error('the map is whole')
  const [clear, warm, hot] = [0, 4, 8].map((at) => [...pixels.slice(at, at + 4)] as [number, number, number, number])
  expect(clear?.[3]).toBe(0)
  expect(warm?.[3]).toBeGreaterThan(60)
  expect(hot).toEqual([210, 0, 0, 190])
  expect(warm?.[1]).toBeGreaterThan(hot?.[1] ?? 255)
})

test('draws nothing of a map that is not whole', () => {
  expect(heatPixels({ width: 2, height: 2, values: btoa('abc') })).toBeNull()
  expect(heatPixels({ width: 1, height: 1, values: '***' })).toBeNull()
})
