import { expect, test } from 'vitest'

import { curvePath, pointAt } from './curve'

const CURVE = { label: 'cat', recall: [0.5, 0.5, 1], precision: [1, 0.5, 0.66], score: [0.9, 0.6, 0.2] }
const toPx = (value: number) => value * 100

test('the path starts at recall 0 and visits every point', () => {
  expect(curvePath(CURVE, toPx, toPx)).toBe('M0.0 100.0L50.0 100.0L50.0 50.0L100.0 66.0')
  expect(curvePath({ ...CURVE, recall: [], precision: [], score: [] }, toPx, toPx)).toBe('')
})

test('a threshold keeps the points that reach it', () => {
  expect(pointAt(CURVE, 0.6)).toEqual({ recall: 0.5, precision: 0.5 })
  expect(pointAt(CURVE, 0)).toEqual({ recall: 1, precision: 0.66 })
  expect(pointAt(CURVE, 0.95)).toBeNull()
})
