import { expect, test } from 'vitest'

import { boxJudgement, hasBoxes } from './judgement'

const box = (label: string, x: number, score: number | null = null) => ({
  kind: 'box' as const,
  label,
  x,
  y: 0,
  width: 10,
  height: 10,
  score,
})

test('found, false and missed are distinguished; what stays below its threshold was not predicted', () => {
  const item = {
    truth: [box('cat', 0), box('dog', 50)],
    prediction: [box('cat', 1, 0.9), box('cat', 80, 0.8), box('dog', 51, 0.3)],
    matches: [[0, 0] as [number, number]],
  }
  const judged = boxJudgement(item, { cat: 0.5, dog: 0.4 })
  expect(judged.counts).toEqual({ found: 1, missed: 1, false: 1 })
  expect(judged.boxes.map((each) => [each.outcome, each.x])).toEqual([
    ['found', 1],
    ['false', 80],
    ['missed', 50],
  ])
})

test('knows a picture without any box', () => {
  expect(hasBoxes({ truth: [], prediction: [] })).toBe(false)
  expect(hasBoxes({ truth: [box('cat', 0)], prediction: [] })).toBe(true)
})
