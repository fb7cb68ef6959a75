import { describe, expect, it } from 'vitest'

import {
  defaultSelection,
  inWords,
  leadingTrial,
  learningValues,
  outvaluedBy,
  sparkValues,
  tookSeconds,
  toPoint,
  type TrialLike,
} from './trial-rows'

const trial = (changes: Partial<TrialLike> = {}): TrialLike => ({
  id: 'trl_1',
  number: 0,
  state: 'running',
  train: { family: 'resnet', size: '18', params: { lr: 0.1 } },
  value: null,
  curve: [
    { step: 1, epoch: 1, split: 'train', values: { loss: 2 } },
    { step: 1, epoch: 1, split: 'validation', values: { accuracy: 0.5 } },
    { step: 2, epoch: 2, split: 'validation', values: { accuracy: 0.7 } },
  ],
  started_at: '2026-01-01T00:00:00Z',
  ended_at: null,
  ...changes,
})

describe('trial rows', () => {
  it('draws the validation values of one metric', () => {
    expect(sparkValues(trial(), 'accuracy')).toEqual([0.5, 0.7])
    expect(sparkValues(trial(), 'loss')).toEqual([])
  })

  it('names the trial that has a better value than the model that is shipped', () => {
    const ended = { state: 'succeeded', chosen_trial: null, best_value: 0.927, objective: { is_higher_better: true } }
    const of = (id: string, value: number, more = {}) => ({ ...trial({ id, value }), members: null, evidence: null, ...more })
    const shown = (value: number | null) => (value ?? 0).toFixed(3)
    const trials = [
      of('a', 0.93),
      of('b', 0.936),
      of('mean', 0.95, { members: ['a', 'b'] }),
      of('cut', 0.99, { evidence: { halted: 'time' } }),
    ]
    expect(outvaluedBy(ended, trials, shown)?.id).toBe('b')
    expect(outvaluedBy({ ...ended, best_value: 0.9361 }, trials, shown)).toBeNull()
    expect(outvaluedBy({ ...ended, chosen_trial: 'a' }, trials, shown)).toBeNull()
  })

  it('draws what was measured on the way where the objective was not', () => {
    expect(learningValues(trial(), 'accuracy')).toEqual([0.5, 0.7])
    expect(learningValues(trial(), 'roc_auc')).toEqual([0.5, 0.7])
    expect(learningValues(trial({ curve: [] }), 'accuracy')).toEqual([])
  })

  it('places a running trial at its last value and a finished one at its own', () => {
    expect(toPoint(trial(), 'accuracy')).toMatchObject({ number: 1, value: 0.7, params: { family: 'resnet', lr: 0.1 } })
    expect(toPoint(trial({ value: 0.9 }), 'accuracy').value).toBe(0.9)
    expect(toPoint(trial({ curve: [] }), 'accuracy').value).toBeNull()
  })

  it('counts time until now while a trial runs, and not before it starts', () => {
    const now = Date.parse('2026-01-01T00:01:00Z')
    expect(tookSeconds(trial(), now)).toBe(60)
    expect(tookSeconds(trial({ ended_at: '2026-01-01T00:00:20Z' }), now)).toBe(20)
    expect(tookSeconds(trial({ started_at: null }), now)).toBeNull()
  })
})

describe('leadingTrial', () => {
  const at = (id: string, value: number, state = 'running') =>
    trial({ id, state, curve: [{ step: 1, epoch: 1, split: 'validation', values: { loss: value } }] })

  it('is the best of those that run, whichever way the metric goes', () => {
    const trials = [at('a', 0.4), at('b', 0.6), at('c', 0.9, 'pruned'), trial({ id: 'd', curve: [] })]
    expect(leadingTrial(trials, 'loss', true)).toMatchObject({ trial: { id: 'b' }, value: 0.6 })
    expect(leadingTrial(trials, 'loss', false)).toMatchObject({ trial: { id: 'a' }, value: 0.4 })
  })

  it('is nobody before the first value', () => {
    expect(leadingTrial([trial({ curve: [] })], 'loss', true)).toBeNull()
  })
})

describe('defaultSelection', () => {
  it('shows the best and those that run, each once', () => {
    const trials = [trial({ id: 'a', state: 'succeeded' }), trial({ id: 'b' }), trial({ id: 'c', state: 'failed' })]
    expect(defaultSelection(trials, 'a')).toEqual(['a', 'b'])
    expect(defaultSelection(trials, 'b')).toEqual(['b'])
  })

  it('adds the curves that there are where the best has none', () => {
    const ended = ['a', 'b'].map((id) => trial({ id, state: 'succeeded' }))
    expect(defaultSelection([...ended, trial({ id: 'mean', state: 'succeeded', curve: [] })], 'mean')).toEqual(['mean', 'a', 'b'])
    expect(defaultSelection([trial({ id: 'c', curve: [] })], 'c')).toEqual(['c'])
  })

  it('falls back to the last trial that has a curve', () => {
    const trials = [trial({ id: 'a', state: 'pruned' }), trial({ id: 'b', state: 'failed', curve: [] })]
    expect(defaultSelection(trials, null)).toEqual(['a'])
    expect(defaultSelection([], null)).toEqual([])
  })
})

describe('settings in words', () => {
  it('names what is no number or has a name, and leaves other numbers to the axis', () => {
    const points = [
      { ...toPoint(trial(), 'accuracy'), params: { lr: 0.1, side: 0, is_balanced: true } },
      { ...toPoint(trial(), 'accuracy'), params: { lr: 0.2, side: 192, is_balanced: false } },
    ]
    const wordOf = (_name: string, value: unknown) =>
      value === 0 ? 'own' : value === true ? 'yes' : value === false ? 'no' : String(value)
    expect(inWords(points, wordOf).map(({ params }) => params)).toEqual([
      { lr: 0.1, side: 'own', is_balanced: 'yes' },
      { lr: 0.2, side: '192', is_balanced: 'no' },
    ])
  })
})
