import { describe, expect, it } from 'vitest'

import { goodness, parallelAxes, parallelPath } from './parallel'

const trial = (id: string, value: number | null, params: Record<string, string | number>) => ({
  id,
  number: 1,
  state: 'succeeded',
  value,
  params,
})
const TRIALS = [
  trial('a', 0.5, { lr: 0.001, kind: 'x', fixed: 3 }),
  trial('b', 0.9, { lr: 1, kind: 'y', fixed: 3 }),
  trial('c', 0.7, { kind: 'x', fixed: 3 }),
]

describe('parallel coordinates', () => {
  it('has an axis for each parameter that varies, and the value last', () => {
    const axes = parallelAxes(TRIALS, [100, 0])
    expect(axes.map((axis) => axis.name)).toEqual(['lr', 'kind', 'value'])
    expect(axes.map((axis) => axis.choices)).toEqual([null, ['x', 'y'], null])
  })

  it('breaks a line where a trial lacks a parameter', () => {
    const axes = parallelAxes(TRIALS, [100, 0])
    const [whole, broken] = [TRIALS[0], TRIALS[2]].map((each) => each && parallelPath(axes, each, (index) => index * 10))
    expect(whole).toMatch(/^M0 100L10 .*L20 /)
    expect(broken).toMatch(/^M10 [^M]*L20 /)
  })

  it('ranks values by the direction of the metric', () => {
    expect([...goodness(TRIALS, true)]).toEqual([
      ['a', 0],
      ['c', 0.5],
      ['b', 1],
    ])
    expect(goodness(TRIALS, false).get('a')).toBe(1)
  })
})
