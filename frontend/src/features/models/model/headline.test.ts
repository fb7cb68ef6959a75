import { describe, expect, it } from 'vitest'

import { headline } from './headline'

const facts = (changes = {}) => ({
  split: 'test',
  num_items: 400,
  metrics: { accuracy: 0.95, macro_f1: 0.94 },
  intervals: { accuracy: [0.93, 0.97] },
  ...changes,
})

describe('headline', () => {
  it('counts the mistakes behind an accuracy', () => {
    expect(headline(facts(), 'accuracy')).toMatchObject({ num_wrong: 20, interval: [0.93, 0.97], cautions: [] })
  })

  it('takes nothing from the value of a handful of items', () => {
    const few = facts({ num_items: 1, metrics: { accuracy: 1 }, intervals: { accuracy: [0.21, 1] } })
    expect(headline(few, 'accuracy')).toMatchObject({ isTooFew: true, interval: [0.21, 1], cautions: ['too_few', 'wide_interval'] })
    expect(headline(facts({ num_items: 30 }), 'accuracy')?.isTooFew).toBe(false)
  })

  it('shows what is not fit for use', () => {
    const cautionsOf = (changes: object, objective: string, spread?: number) => headline(facts(changes), objective, false, spread)?.cautions
    expect(cautionsOf({ metrics: { ap50: 0.2 } }, 'ap50')).toEqual(['not_fit'])
    expect(cautionsOf({ metrics: { ap50: 0.6 } }, 'ap50')).toEqual([])
    const labels = {
      confusion: [
        [380, 0],
        [20, 0],
      ],
      per_class: [{ support: 380 }, { support: 20 }],
    }
    expect(cautionsOf(labels, 'accuracy')).toEqual(['not_fit'])
    expect(cautionsOf({ ...labels, metrics: { accuracy: 0.96 } }, 'accuracy')).toEqual([])
    expect(cautionsOf({ metrics: { rmse: 4 } }, 'rmse', 4)).toEqual(['not_fit'])
  })

  it('warns of few items, a wide interval and a split that guided the search', () => {
    const weak = facts({ split: 'validation', num_items: 30, intervals: { accuracy: [0.8, 1] } })
    expect(headline(weak, 'accuracy')?.cautions).toEqual(['few_items', 'wide_interval', 'validation_only'])
  })

  it('warns where every label counts alike and one has a handful of items', () => {
    const cautionsOf = (rare: number, objective: string) =>
      headline(facts({ metrics: { accuracy: 0.95, f1_macro: 0.9 }, per_class: [{ support: 390 }, { support: rare }] }), objective)?.cautions
    expect(cautionsOf(3, 'f1_macro')).toEqual(['few_of_label'])
    expect(cautionsOf(10, 'f1_macro')).toEqual([])
    expect(cautionsOf(3, 'accuracy')).toEqual([])
  })

  it('shows that the served model has learned what it is judged by', () => {
    const learned = facts({ split: 'validation', is_learned: true })
    expect(headline(learned, 'accuracy')?.cautions).toEqual(['validation_only', 'validation_learned'])
  })

  it('does not turn another metric into a count of mistakes', () => {
    expect(headline(facts(), 'macro_f1')).toMatchObject({ num_wrong: null, interval: null })
  })

  it('shows no interval that has no width', () => {
    expect(headline(facts({ intervals: { accuracy: [1, 1] } }), 'accuracy')?.interval).toBeNull()
  })

  it('measures the width of an error against its size', () => {
    const found = (high: number) => headline(facts({ metrics: { rmse: 100 }, intervals: { rmse: [90, high] } }), 'rmse', true)
    expect(found(119)?.cautions).toEqual([])
    expect(found(121)?.cautions).toEqual(['wide_interval'])
  })

  it('is silent where the metric is missing', () => {
    expect(headline(facts({ metrics: {} }), 'accuracy')).toBeNull()
  })
})

it('warns of the best of many models on one test split', () => {
  const cautions = (split: string, num_models: number) => headline(facts({ split, num_models }), 'accuracy')?.cautions ?? []
  expect(cautions('test', 10)).toContain('many_looks')
  expect(cautions('test', 9)).not.toContain('many_looks')
  expect(cautions('validation', 40)).not.toContain('many_looks')
})
