import { describe, expect, it } from 'vitest'

import { bestSoFar, NUMBER_AXIS, stairPath, trialAxis, varyingParams, type TrialPoint } from './scatter'

const trial = (number: number, value: number | null, params: TrialPoint['params'], state = 'succeeded'): TrialPoint => ({
  id: `trl_${number}`,
  number,
  state,
  value,
  params,
})

const trials = [
  trial(1, 0.7, { lr: 1e-4, optimizer: 'sgd', epochs: 5 }),
  trial(2, 0.9, { lr: 1e-2, optimizer: 'adamw', epochs: 5 }),
  trial(3, 0.8, { lr: 1e-3, optimizer: 'sgd', epochs: 5 }),
  trial(4, 0.95, { lr: 1e-3, optimizer: 'sgd', epochs: 5 }, 'pruned'),
]

describe('varyingParams', () => {
  it('leaves out what never changes', () => {
    expect(varyingParams(trials)).toEqual(['lr', 'optimizer'])
  })
})

describe('trialAxis', () => {
  it('is logarithmic where a parameter spans decades', () => {
    const axis = trialAxis(trials, 'lr', [0, 100])
    expect(axis.kind).toBe('numeric')
    expect(axis.place(trials[2] as TrialPoint)).toBeCloseTo(50)
  })

  it('gives each choice its own middle', () => {
    const axis = trialAxis(trials, 'optimizer', [0, 100])
    expect(axis.kind === 'choice' && axis.choices).toEqual(['adamw', 'sgd'])
    expect(axis.place(trials[0] as TrialPoint)).toBeCloseTo(75)
    expect(axis.place(trials[1] as TrialPoint)).toBeCloseTo(25)
  })

  it('counts trials linearly, however many', () => {
    const many = [trial(1, 0, {}), trial(500, 0, {})]
    const axis = trialAxis([...many, trial(250.5, 0, {})], NUMBER_AXIS, [0, 100])
    expect(axis.place(trial(250.5, 0, {}))).toBeCloseTo(50)
  })

  it('does not place a trial that lacks the parameter', () => {
    expect(trialAxis(trials, 'lr', [0, 1]).place(trial(9, 1, {}))).toBeNull()
  })
})

describe('bestSoFar', () => {
  it('keeps improvements of finished trials only', () => {
    expect(bestSoFar(trials, true)).toEqual([
      { number: 1, value: 0.7 },
      { number: 2, value: 0.9 },
    ])
  })

  it('goes down where lower is better', () => {
    expect(bestSoFar([trial(2, 0.5, {}), trial(1, 0.7, {})], false).map((step) => step.value)).toEqual([0.7, 0.5])
  })
})

describe('stairPath', () => {
  it('walks right, then up, and on to the end', () => {
    expect(
      stairPath(
        [
          { x: 0, y: 9 },
          { x: 5, y: 2 },
        ],
        20,
      ),
    ).toBe('M0 9H5V2H20')
    expect(stairPath([], 20)).toBe('')
  })
})
