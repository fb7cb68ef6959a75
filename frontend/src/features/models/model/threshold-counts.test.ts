import { describe, expect, it } from 'vitest'

import { changedThresholds, cheapestThreshold, countsAt, isPair, ratesOf, thresholdTables } from './threshold-counts'

/** Scores of a label, and whether the items carry it. */
const ITEMS: [number, boolean][] = [
  [0.95, true],
  [0.9, false],
  [0.8, true],
  [0.8, true],
  [0.6, false],
  [0.4, true],
  [0.2, false],
  [0.1, false],
]

/** As the engine writes curves: one point a different score, and for ROC one above all. */
function split(items = ITEMS) {
  const scores = [...new Set(items.map(([score]) => score))].sort((a, b) => b - a)
  const support = items.filter(([, is]) => is).length
  const found = scores.map((score) => items.filter(([each, is]) => is && each >= score).length)
  const wrong = scores.map((score) => items.filter(([each, is]) => !is && each >= score).length)
  const others = items.length - support
  return {
    num_items: items.length,
    per_class: [{ label: 'a', support }],
    confusion: [],
    roc: [
      {
        label: 'a',
        score: [1.0000001, ...scores],
        true_positive_rate: [0, ...found.map((num) => num / support)],
        false_positive_rate: [0, ...wrong.map((num) => num / others)],
      },
    ],
    precision_recall: [
      {
        label: 'a',
        score: scores,
        recall: found.map((num) => num / support),
        precision: found.map((num, index) => num / (num + (wrong[index] ?? 0))),
      },
    ],
  }
}

const tableOf = (one: Parameters<typeof thresholdTables>[0], isOfWhole = true) => {
  const [table] = thresholdTables(one, isOfWhole)
  if (!table) throw new Error('no table')
  return table
}

describe('counts at a threshold', () => {
  it.each([0, 0.1, 0.15, 0.4, 0.5, 0.8, 0.85, 0.9, 0.95, 0.99])('are those of the items themselves, from %d on', (threshold) => {
    const countOf = (is: boolean) => ITEMS.filter(([score, truth]) => truth === is && score >= threshold).length
    const expected = { found: countOf(true), missed: 4 - countOf(true), false_alarm: countOf(false), rest: 4 - countOf(false) }
    expect(countsAt(tableOf(split()), threshold)).toEqual(expected)
    // Older reports of classifiers, and those of detectors, have no ROC.
    expect(countsAt(tableOf({ ...split(), roc: [] }), threshold)).toEqual(expected)
    expect(countsAt(tableOf({ ...split(), roc: [] }, false), threshold)).toEqual({ ...expected, rest: null })
  })

  it('take what is wrong from the report where nothing is found', () => {
    const curve = { label: 'a', score: [0.9, 0.5], recall: [0, 0.5], precision: [0, 0.25], num_wrong: [2, 3] }
    const one = { ...split(), roc: [], per_class: [{ label: 'a', support: 2 }], precision_recall: [curve] }
    expect(countsAt(tableOf(one, false), 0.7)).toEqual({ found: 0, missed: 2, false_alarm: 2, rest: null })
  })

  it('are of labels that occur and have a curve', () => {
    const one = split()
    expect(
      thresholdTables(
        {
          ...one,
          per_class: [
            { label: 'b', support: 3 },
            { label: 'a', support: 0 },
          ],
        },
        true,
      ),
    ).toEqual([])
  })

  it('give precision, recall, F1 and accuracy', () => {
    expect(ratesOf({ found: 3, missed: 1, false_alarm: 2, rest: 4 })).toEqual({ precision: 0.6, recall: 0.75, f1: 6 / 9, accuracy: 0.7 })
    expect(ratesOf({ found: 0, missed: 1, false_alarm: 0, rest: null })).toEqual({ precision: null, recall: 0, f1: 0, accuracy: null })
  })
})

describe('the threshold that costs least', () => {
  it('lies lower the dearer a miss is, half way between scores', () => {
    const table = tableOf(split())
    expect(cheapestThreshold(table, { miss: 1, false_alarm: 1 })).toBe(0.7)
    expect(cheapestThreshold(table, { miss: 10, false_alarm: 1 })).toBe(0.3)
    expect(cheapestThreshold(table, { miss: 1, false_alarm: 10 })).toBe(0.925)
  })

  it('predicts nothing where that is cheapest', () => {
    const table = tableOf(
      split([
        [0.9, false],
        [0.5, true],
      ]),
    )
    expect(countsAt(table, cheapestThreshold(table, { miss: 1, false_alarm: 10 }))).toMatchObject({ found: 0, false_alarm: 0 })
    const ranked = tableOf({
      ...split([
        [0.9, false],
        [0.9, true],
      ]),
      roc: [],
    })
    expect(countsAt(ranked, cheapestThreshold(ranked, { miss: 1, false_alarm: 10 }))).toMatchObject({ found: 0, false_alarm: 0 })
  })
})

it('shares one among two labels that exclude each other', () => {
  expect(changedThresholds({}, 'a', 0.3, 'b')).toEqual({ a: 0.3, b: 0.7 })
  expect(changedThresholds({ b: 0.4, c: 0.2 }, 'a', 0.3, null)).toEqual({ a: 0.3, b: 0.4, c: 0.2 })
  expect(isPair(['a', 'b'], { confusion: [[1, 0]] })).toBe(true)
  expect(isPair(['a', 'b'], { confusion: [] })).toBe(false)
  expect(isPair(['a', 'b', 'c'], { confusion: [[1, 0, 0]] })).toBe(false)
})
