import { expect, it } from 'vitest'

import { basisKey, curedForm, isUnderWay } from './preflight'
import { INITIAL_FORM, toPlanRequest } from './study-form'

const CURED = {
  version: 'dsv_2',
  job: null,
  families: ['resnet'],
  strategy: 'portfolio' as const,
  max_trials: 3,
  concurrency: 1,
  train: null,
  start_from: null,
  ranges: {},
  at_most: { batch_size: 8 },
  device: 'cpu' as const,
}

it('is under way until there is a verdict, or the job was ended', () => {
  const at = (state: string, verdict: 'runs' | null) => isUnderWay({ job: { state }, verdict } as Parameters<typeof isUnderWay>[0])
  expect([at('queued', null), at('running', null), at('running', 'runs'), at('cancelled', null)]).toEqual([true, true, false, false])
})

it('says what its time rests on, and counts no model as measured that ran cold', () => {
  const basis = (time_basis: string, ...trials: [number | null, boolean][]) =>
    basisKey({ time_basis, trials: trials.map(([estimated_s, is_rough]) => ({ estimated_s, is_rough })) } as Parameters<typeof basisKey>[0])
  expect(basis('measured', [3, false])).toBe('measured_all')
  expect(basis('planned', [null, false])).toBe('measured_none')
  expect(basis('derived', [3, false], [4, true])).toBe('measured_some')
  expect(basis('derived', [3, false])).toBe('measured_search')
  expect(basis('derived', [3, true], [null, false])).toBe('measured_rough')
})

it('sends what a cure has changed, limits and device included', () => {
  const form = { ...INITIAL_FORM, version: 'dsv_1', families: ['resnet', 'linear_probe'], concurrency: 2 }
  const before = toPlanRequest('prj_1', form)
  const after = toPlanRequest('prj_1', { ...form, ...curedForm(CURED, form) })
  expect(before).not.toHaveProperty('at_most')
  expect(after).toMatchObject({ version: 'dsv_2', families: ['resnet'], concurrency: 1, at_most: { batch_size: 8 }, device: 'cpu' })
})
