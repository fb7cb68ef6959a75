import { describe, expect, it } from 'vitest'

import { lessonOf } from './distillation'

const side = (accuracy: number, answer_ms: number, model_bytes: number) => ({
  job: 'job_1',
  train: { family: 'text_cnn', size: 'small', params: {} },
  metrics: { test: { accuracy } },
  model_bytes,
  answer_ms,
  graph_ms: answer_ms / 2,
})

describe('lessonOf', () => {
  it('shows what was kept and what was saved', () => {
    const lesson = lessonOf({
      schema_version: 1,
      teacher: side(0.82, 20, 118e6),
      student: side(0.78, 0.2, 1e6),
      temperature: 2,
      hard_fraction: 0.3,
      num_labelled: 800,
      num_unlabelled: 4000,
      split: 'test',
      metric: 'accuracy',
    })
    expect(lesson.metrics).toEqual([{ name: 'accuracy', teacher: 0.82, student: 0.78, share: 0.78 / 0.82 }])
    expect(lesson.speedup).toBeCloseTo(100)
    expect(lesson.shrinkage).toBeCloseTo(118)
  })
})
