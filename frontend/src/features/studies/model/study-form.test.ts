import { describe, expect, it } from 'vitest'

import { formProblems, INITIAL_FORM, toPlanRequest, toStudyRequest, withDefaults, type StudyForm } from './study-form'

const form = (changes: Partial<StudyForm> = {}): StudyForm => ({
  ...INITIAL_FORM,
  version: 'dsv_1',
  families: ['linear_probe', 'resnet'],
  ...changes,
})
const single = { family: 'resnet', size: '18', params: { lr: 0.01 } }

describe('toStudyRequest', () => {
  it('sends what the form holds', () => {
    expect(toStudyRequest('prj_1', form())).toEqual({
      project: 'prj_1',
      version: 'dsv_1',
      strategy: 'portfolio',
      families: ['linear_probe', 'resnet'],
      max_trials: 8,
      concurrency: 1,
      train: null,
      start_from: null,
      objective: '',
      also_improves: [],
      refits: true,
      learns_test: false,
      max_answer_ratio: 3,
      name: '',
      pruner: 'median',
      target: null,
      time_limit_s: null,
      seed: 0,
    })
  })

  it('sends minutes as seconds and a trimmed name', () => {
    const request = toStudyRequest('prj_1', form({ time_limit_min: 1.5, name: '  first ', pruner: 'none' }))
    expect(request).toMatchObject({ time_limit_s: 90, name: 'first', pruner: 'none' })
  })

  it('makes a single trial one trial without pruning, whatever was typed before', () => {
    const request = toStudyRequest('prj_1', form({ strategy: 'single', max_trials: 40, concurrency: 4, single, target: 0.9 }))
    expect(request).toMatchObject({ max_trials: 1, concurrency: 1, pruner: 'none', target: null, train: single, families: ['resnet'] })
  })

  it('ships one model as it was judged, and keeps the test items back, when nothing is to be learned once more', () => {
    const request = toStudyRequest('p', form({ refits: false, learns_test: true, max_answer_ratio: 5 }))
    expect(request).toMatchObject({ refits: false, learns_test: false, max_answer_ratio: 1 })
  })

  it('goes on from an earlier model with its family alone', () => {
    const start = { id: 'art_1', family: 'resnet', size: '18', params: {} }
    expect(toStudyRequest('p', form({ start, families: [] }))).toMatchObject({ start_from: 'art_1', families: ['resnet'] })
    expect(formProblems(form({ start, families: [] }))).toEqual({})
    const ranges = { resnet: { size: { choices: ['34'] } } }
    expect(toStudyRequest('p', form({ start, ranges })).ranges).toBeUndefined() // its own size is trained
  })

  it('stops no trial early and ships no mean where time or size count too', () => {
    const several = { also_improves: ['model_bytes' as const, 'latency_ms' as const] }
    expect(toStudyRequest('p', form(several))).toMatchObject({
      also_improves: ['latency_ms', 'model_bytes'],
      pruner: 'none',
      max_answer_ratio: 1,
    })
    expect(toStudyRequest('p', form({ ...several, strategy: 'single', single })).also_improves).toEqual([])
  })

  it('never asks for more at once than there are trials', () => {
    expect(toStudyRequest('p', form({ max_trials: 2, concurrency: 8 })).concurrency).toBe(2)
  })
})

describe('toPlanRequest', () => {
  it('changes only with what changes the plan, so that typing a name asks nothing anew', () => {
    expect(toPlanRequest('p', form({ name: 'a', seed: 3, pruner: 'none' }))).toEqual(toPlanRequest('p', form()))
  })
})

describe('formProblems', () => {
  it('is empty for a complete form', () => {
    expect(formProblems(form())).toEqual({})
    expect(formProblems(form({ strategy: 'single', families: [], single }))).toEqual({})
  })

  it('names each missing choice', () => {
    expect(formProblems(form({ version: '', families: [] }))).toEqual({ version: 'version_missing', families: 'families_missing' })
    expect(formProblems(form({ strategy: 'single' }))).toEqual({ single: 'family_missing' })
  })
})

describe('withDefaults', () => {
  it('keeps changed values of known parameters and drops the rest', () => {
    const params = [
      { name: 'lr', default: 0.1 },
      { name: 'flip', default: true },
    ]
    expect(withDefaults(params, { lr: 0.5, flip: false, other: 3 })).toEqual({ lr: 0.5, flip: false })
    expect(withDefaults(params)).toEqual({ lr: 0.1, flip: true })
  })
})
