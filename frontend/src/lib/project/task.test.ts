// @vitest-environment jsdom
import { expect, it } from 'vitest'

import type { Task } from '../api/types'
import { metricsOf } from './task'

const text = { en: '', zh: '' }
const metric = (name: string, unit: string, only_for: Record<string, string> = {}) =>
  ({ name, title: text, help: text, unit, is_higher_better: true, only_for }) as Task['metrics'][number]
const task = {
  metrics: [
    metric('roc_auc', 'fraction', { predicts: 'category' }),
    metric('rmse', 'target', { predicts: 'number' }),
    metric('speed', 'ms'),
  ],
  options: [{ name: 'predicts', default: 'category', title: text, help: text, choices: [] }],
}

it('measures what the options of the project select, and what holds for all', () => {
  expect(metricsOf(task, { predicts: 'number' }).map(({ name }) => name)).toEqual(['rmse', 'speed'])
  expect(metricsOf(task, {}).map(({ name }) => name)).toEqual(['roc_auc', 'speed'])
})
