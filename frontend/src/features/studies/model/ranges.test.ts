import { expect, it } from 'vitest'

import type { FamilyParam } from '../api/types'
import { choicesOf, rangeProblem, rangesOf, withRange } from './ranges'

const word = { en: 'x', zh: 'x' }
const rate = { kind: 'float', name: 'lr', title: word, help: word, low: 0.001, high: 0.1, is_log: true, default: 0.01 } as const
const kept = {
  kind: 'choice',
  name: 'kept',
  title: word,
  help: word,
  choices: [true, false],
  default: true,
  is_searched: false,
} as unknown as Extract<FamilyParam, { kind: 'choice' }>

it('keeps what was set and drops what sets nothing', () => {
  const one = withRange({}, 'resnet', 'lr', { low: 0.01, high: null })
  const two = withRange(one, 'resnet', 'size', { choices: ['18'] })
  expect(two).toEqual({ resnet: { lr: { low: 0.01, high: null }, size: { choices: ['18'] } } })
  expect(withRange(withRange(two, 'resnet', 'lr', { low: null, high: null }), 'resnet', 'size', { choices: [] })).toEqual({})
})

it('sends the ranges of the families that are trained', () => {
  const ranges = withRange(withRange({}, 'a', 'lr', { low: 1, high: 2 }), 'b', 'lr', { low: 1, high: 2 })
  expect(rangesOf(ranges, ['b', 'c'])).toEqual({ b: { lr: { low: 1, high: 2 } } })
  expect(rangesOf(ranges, ['c'])).toBeNull()
})

it('says what cannot be', () => {
  expect(rangeProblem(rate, { low: 0.01, high: null })).toBeNull()
  expect(rangeProblem(rate, { low: 0.05, high: 0.01 })).toBe('reversed')
  expect(rangeProblem(rate, { low: null, high: 5 })).toBe('outside')
})

it('shows of a choice that is not searched the default alone until more are chosen', () => {
  expect(choicesOf(kept, undefined)).toEqual([true])
  expect(choicesOf(kept, { choices: [true, false] })).toEqual([true, false])
})
