import { describe, expect, it } from 'vitest'

import { answerKind, type EncodeOptions } from './kind'
import { runsPack, runsUnpack } from './run-lengths'

const options: EncodeOptions = { top: 10, thresholds: {} }
const NO_SIZE = { width: 0, height: 0 }

describe('run lengths', () => {
  it('are those of COCO', () => {
    expect(runsPack([0, 3, 2, 100_000, 5])).toBe('032mdQ33')
    for (const runs of [[], [7], [0, 1], [5, 3, 2, 900, 1, 4, 66_000, 2], [1, 50, 40, 30, 20, 10]])
      expect(runsUnpack(runsPack(runs))).toEqual(runs)
  })

  it('are refused where they are broken', () => {
    for (const text of ['a\n', '\x7f', 'oooooooo']) expect(() => runsUnpack(text)).toThrow('broken')
  })
})

describe('kinds of answers', () => {
  it('name labels best first, with the later of equals in front, above thresholds', () => {
    const answer = { data: Float32Array.of(0.25, 0.5, 0.25), axes: [3] }
    const named = (some: Partial<EncodeOptions>) =>
      answerKind('class_scores')
        .encode(answer, ['a', 'b', 'c'], NO_SIZE, { ...options, ...some })
        .map((each) => 'label' in each && each.label)
    expect(named({})).toEqual(['b', 'c', 'a'])
    expect(named({ top: 1 })).toEqual(['b'])
    expect(named({ threshold: 0.3 })).toEqual(['b'])
    expect(named({ thresholds: { b: 0.9, c: 0.1 } })).toEqual(['c', 'a'])
  })

  it('write a number with the digits that tell it from its neighbours', () => {
    const value = (number: number) => answerKind('number').encode({ data: Float32Array.of(number), axes: [1] }, [], NO_SIZE, options)
    expect(value(0.1)).toEqual([{ kind: 'value', value: 0.1 }])
    expect(value(16_777_216)).toEqual([{ kind: 'value', value: 16_777_216 }])
    expect(() => value(NaN)).toThrow('answers NaN')
  })

  it('keep boxes within the picture', () => {
    const answer = { data: Float32Array.of(-0.5, 0.25, 1, 0.5, 0.75, 1, 0, 0, 1, 1, 0, 0), axes: [2, 6] }
    expect(answerKind('boxes').encode(answer, ['a', 'b'], { width: 200, height: 100 }, options)).toEqual([
      { kind: 'box', label: 'b', x: 0, y: 25, width: 100, height: 50, score: 0.75 },
    ])
  })

  it('put the planes of a mask on the picture, the largest label first', () => {
    const answer = { data: Float32Array.of(0, 1, -1, 1, 0.5, 0.75, 1, 0.25), axes: [2, 2, 2] }
    const annotations = answerKind('mask').encode(answer, ['a', 'b'], { width: 4, height: 4 }, options)
    expect(annotations.map((each) => each.kind === 'mask' && [each.label, runsUnpack(each.counts), each.score])).toEqual([
      ['b', [8, 8], 0.5],
      ['a', [0, 2, 2, 2, 10], 0.5],
    ])
    expect(answerKind('mask').encode(answer, ['a', 'b'], { width: 4, height: 4 }, { ...options, threshold: 0.6 })).toHaveLength(1)
  })

  it('are known by name alone', () => {
    expect(() => answerKind('../kind')).toThrow('not known')
  })
})
