import { expect, it } from 'vitest'

import type { JudgedItem } from '../kind'
import { hasObjects, objectJudgement, shownOf } from './judgement'

const mask = (label: string, score: number | null = null) => ({ kind: 'mask' as const, label, score, width: 2, height: 2, counts: '04' })
const item = {
  truth: [mask('cup'), mask('plate')],
  prediction: [mask('cup', 0.9), mask('cup', 0.8), mask('plate', 0.2)],
  matches: [[0, 0]],
} as unknown as JudgedItem

it('tells found objects from missed and false ones, by the thresholds of their labels', () => {
  const { objects, counts } = objectJudgement(item, { plate: 0.3 })
  expect(counts).toEqual({ found: 1, missed: 1, false: 1 })
  expect(objects.map(({ annotation, outcome, score_fraction }) => [annotation.label, outcome, score_fraction])).toEqual([
    ['cup', 'found', 0.9],
    ['cup', 'false', 0.8],
    ['plate', 'missed', null],
  ])
  expect(shownOf(item, { plate: 0.1 })).toHaveLength(3)
})

it('knows an item on which nothing is and nothing was found', () => {
  expect([hasObjects(item), hasObjects({ truth: [], prediction: [] })]).toEqual([true, false])
})
