import { describe, expect, it } from 'vitest'

import type { Annotation } from '../../../lib/api/types'
import { applied, composed, isAlike, nameMaker, type AnnotationOperation, trimmed } from './operation'

const box = (id: string, x = 0): Annotation => ({ kind: 'box', label: 'cat', id, x, y: 0, width: 1, height: 1 })
const step = (before: Annotation[] | null, after: Annotation[] | null): AnnotationOperation => ({
  operation: 'n',
  project: 'p',
  item: 'i',
  ...trimmed(before, after),
  choice: 'ask',
  seen: null,
  shown: null,
  at: 0,
})

describe('operations', () => {
  it('have names that no other tab gives', () => {
    const makers = [nameMaker(), nameMaker()]
    const names = makers.flatMap((make) => [make(), make(), make()])
    expect(new Set(names).size).toBe(6)
    for (const name of names) expect(name.length).toBeLessThan(40)
  })

  it('leave out what stayed', () => {
    const before = [box('a'), box('b'), box('c')]
    expect(trimmed(before, [box('a'), box('b', 5), box('c'), box('d')])).toEqual({
      before: [box('b')],
      after: [box('b', 5), box('d')],
      has_others: true,
    })
    expect(trimmed(null, [box('a')])).toEqual({ before: null, after: [box('a')], has_others: false })
  })

  it('hold every object where their order changed', () => {
    const [before, after] = [
      [box('a'), box('b'), box('c')],
      [box('c'), box('a'), box('b')],
    ]
    expect(trimmed(before, after)).toEqual({ before, after, has_others: false })
    expect(applied(before, trimmed(before, after))).toEqual(after)
    expect(trimmed(before, [box('z'), box('a'), box('c')]).has_others).toBe(true)
  })

  it('come to what was meant, also on top of what others added', () => {
    const before = [box('a'), box('b'), box('c')]
    const after = [box('a'), box('b', 5), box('d')]
    expect(applied(before, trimmed(before, after))).toEqual(after)
    expect(applied([...before, box('z')], trimmed(before, after))).toEqual([box('a'), box('b', 5), box('z'), box('d')])
  })

  it('are as one what they are in a row', () => {
    const states = [
      [box('a'), box('b')],
      [box('a'), box('b', 1)],
      [box('a', 4), box('b', 1), box('c')],
      [box('b', 1), box('c', 2)],
    ]
    const steps = states.slice(1).map((after, index) => step(states[index] ?? null, after))
    const whole = composed(steps)
    expect(applied(states[0] ?? null, whole)).toEqual(states.at(-1))
    expect(composed([step(null, [box('a')]), step([box('a')], null)])).toMatchObject({ before: null, after: null })
  })

  it('take what is absent and what is null for the same', () => {
    expect(isAlike({ kind: 'class', label: 'x' }, { label: 'x', kind: 'class', score: null, id: undefined })).toBe(true)
    expect(isAlike([1, [2]], [1, [3]])).toBe(false)
    expect(isAlike({ a: [] }, { a: {} })).toBe(false)
  })
})
