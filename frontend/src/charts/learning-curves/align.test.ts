import { describe, expect, it } from 'vitest'

import { alignCurves, curveMetrics, lastValue, type Curve } from './align'

const point = (step: number, split: string, values: Record<string, number | null>) => ({ step, epoch: step / 10, split, values })

const curves: Curve[] = [
  {
    id: 'trl_a',
    title: '1',
    points: [
      point(10, 'train', { loss: 2 }),
      point(10, 'validation', { loss: 1.8, accuracy: 0.4 }),
      point(30, 'train', { loss: 1 }),
      point(20, 'train', { loss: 1.5 }),
    ],
  },
  { id: 'trl_b', title: '2', points: [point(20, 'validation', { loss: 1.1, accuracy: null })] },
]

describe('alignCurves', () => {
  it('shares one sorted x column and leaves gaps where a line has no point', () => {
    const { lines, columns } = alignCurves(curves, 'loss', 'step')
    expect(lines.map((line) => [line.key, line.color])).toEqual([
      ['trl_a/train', 0],
      ['trl_a/validation', 0],
      ['trl_b/validation', 1],
    ])
    expect(columns).toEqual([
      [10, 20, 30],
      [2, 1.5, 1],
      [1.8, null, null],
      [null, 1.1, null],
    ])
  })

  it('keeps the colour that a curve was given', () => {
    const [, second] = curves
    expect(alignCurves([{ ...(second as Curve), color: 7 }], 'loss', 'step').lines[0]?.color).toBe(7)
  })

  it('gives no line to what has no finite value', () => {
    const { lines, columns } = alignCurves(curves, 'accuracy', 'epoch')
    expect(lines.map((line) => line.key)).toEqual(['trl_a/validation'])
    expect(columns).toEqual([[1], [0.4]])
  })

  it('keeps the last word where a resumed run repeats a step', () => {
    const resumed = [{ id: 'a', title: '', points: [point(5, 'train', { loss: 9 }), point(5, 'train', { loss: 3 })] }]
    expect(alignCurves(resumed, 'loss', 'step').columns).toEqual([[5], [3]])
  })
})

describe('curveMetrics', () => {
  it('puts the loss behind the metrics people ask for', () => {
    expect(curveMetrics(curves)).toEqual(['accuracy', 'loss'])
  })
})

describe('lastValue', () => {
  it('passes over trailing gaps', () => {
    expect(lastValue(alignCurves(curves, 'loss', 'step'), 1)).toEqual({ x: 10, value: 1.8 })
  })
})
