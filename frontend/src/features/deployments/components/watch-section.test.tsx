import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { Deployment, Drift, InputDrift, ModelDrift, Period, Timeline } from '../api/types'
import { WatchSection } from './watch-section'

beforeAll(async () => {
  await startI18n()
})
beforeEach(async () => {
  await setLanguage('en')
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const nothing: Period = {
  at: '2026-01-01T00:00:00Z',
  calls: 0,
  errors: [],
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
  answers: [],
  low: null,
  median: null,
  high: null,
  uncertainty: null,
  feedback: 0,
  loss: null,
  loss_low: null,
  loss_high: null,
}
const busy: Period = {
  ...nothing,
  at: '2026-01-01T01:00:00Z',
  calls: 10,
  errors: [{ status: 400, code: 'picture_unreadable', calls: 1 }],
  p50_ms: 2,
  p95_ms: 5,
  p99_ms: 9,
  answers: [{ label: 'scratch', count: 9 }],
  uncertainty: 0.2,
}
const timeline: Timeline = {
  since: '2026-01-01T00:00:00Z',
  until: '2026-01-01T02:00:00Z',
  step_hours: 1,
  periods: [nothing, busy],
  labels: ['scratch'],
  keys: [{ key: 'key_1', name: 'shop', calls: 10 }],
  models: [{ artefact: 'art_1', calls: 10 }],
  try_outs: 0,
}
const quiet: ModelDrift = {
  artefact: 'art_1',
  state: 'quiet',
  split: 'test',
  num_tested: 200,
  num_calls: 300,
  psi: 0.01,
  psi_p: 0.6,
  ks: 0.02,
  ks_p: 0.8,
  is_answers_changed: false,
  is_scores_changed: false,
  changes: [{ label: 'scratch', before: 0.12, after: 0.13, part: 0.01 }],
  before: { low: 0.6, median: 0.9, high: 0.99 },
  after: { low: 0.6, median: 0.9, high: 0.99 },
}

const inputs: InputDrift = {
  days: 7,
  fewest_calls: 100,
  models: [
    {
      artefact: 'art_1',
      state: 'changed',
      splits: ['test'],
      num_judged: 50,
      num_calls: 117,
      num_facts: 6,
      num_changed: 1,
      facts: [
        {
          name: 'brightness',
          kind: 'numeric',
          title: { en: 'Brightness', zh: '亮度' },
          sentence: { en: 'Pictures are darker.', zh: '图片更暗。' },
          is_changed: true,
          psi: 4.4,
          p: 1e-9,
          median_before: 0.48,
          median_after_low: 0.2,
          median_after_high: 0.25,
          bins: [
            { role: 'range', low: null, high: 0.2, value: null, before: 0.1, after: 0.2 },
            { role: 'range', low: 0.2, high: 0.25, value: null, before: 0.1, after: 0.8 },
            { role: 'range', low: 0.25, high: null, value: null, before: 0.8, after: 0 },
          ],
        },
      ],
    },
  ],
}

/** The section, and the addresses that it asked. */
async function open(calls: Timeline, model: Partial<ModelDrift>) {
  const drift: Drift = { days: 7, fewest_calls: 100, models: [{ ...quiet, ...model }] }
  const requests: string[] = []
  vi.stubGlobal('fetch', (request: Request) => {
    requests.push(request.url)
    const bodies = { '/timeline': calls, '/input-drift': model.state === 'changed' ? inputs : { ...inputs, models: [] }, '/drift': drift }
    const known = Object.entries(bodies).find(([path]) => request.url.includes(path))
    return Promise.resolve(Response.json(known ? known[1] : { items: [], next_cursor: null }))
  })
  const queries = newQueryClient()
  queries.setQueryData(['project', 'prj_1'], { id: 'prj_1', task: 'some_task', task_options: {}, label_set: { labels: [] } })
  queries.setQueryData(
    ['tasks'],
    [{ name: 'some_task', modality: 'image', annotation: { kinds: ['class'] }, outputs: ['class_scores'], metrics: [], options: [] }],
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={['/projects/prj_1']}>
          <Routes>
            <Route
              path="/projects/:project"
              element={<WatchSection deployment={{ id: 'dep_1', project: 'prj_1' } as unknown as Deployment} />}
            />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findAllByText(/answers (of the last|have changed)|结果/)
  return requests
}

it('says what changed in plain words, with the figures behind it', async () => {
  await open(timeline, {
    state: 'changed',
    is_answers_changed: true,
    psi: 0.252,
    changes: [
      { label: 'scratch', before: 0.12, after: 0.31, part: 0.2 },
      { label: 'dent', before: 0.08, after: 0.081, part: 0 },
    ],
  })
  expect(screen.getByText('In the last 7 days “scratch” was answered 31% of the time, 12% in the test.')).toBeTruthy()
  expect(screen.queryByText(/“dent”/)).toBeNull()
  expect(await screen.findByText('Pictures are darker. (0.2 to 0.25 at the median, 0.48 before)')).toBeTruthy()
  expect(screen.getByTitle('0.2 to 0.25: 10% → 80%')).toBeTruthy()
  expect(screen.getByText(/300 calls compared with 200 .*PSI 0.252/)).toBeTruthy()
})

it('says it in Chinese too, and what sank where only scores did', async () => {
  await setLanguage('zh')
  await open(timeline, { state: 'changed', is_scores_changed: true, after: { low: 0.4, median: 0.6, high: 0.8 } })
  expect(screen.getByText('最高得分的中位数为 60.0%（中间 80%：40.0% 至 80.0%），测试时为 90.0%（60.0% 至 99.0%）。')).toBeTruthy()
  expect(screen.queryByText(/“scratch”的占/)).toBeNull()
})

it('is calm where nothing changed', async () => {
  await open(timeline, {})
  expect(screen.getByText('The answers of the last 7 days are like those of the test (300 calls compared).')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('steps through time by keys, and tells each period', async () => {
  await open(timeline, {})
  const chart = await screen.findByRole('slider', { name: 'Calls' })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/answered 9, Unreadable file 1$/)
  fireEvent.keyDown(chart, { key: 'ArrowLeft' })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/answered 0, Unreadable file 0$/)
  expect(chart.getAttribute('aria-valuenow')).toBe('1')
  fireEvent.keyDown(chart, { key: 'ArrowLeft' })
  expect(chart.getAttribute('aria-valuenow')).toBe('1')
  fireEvent.keyDown(chart, { key: 'End' })
  expect(chart.getAttribute('aria-valuenow')).toBe('2')
  expect(screen.getByText(/No feedback on calls of this period/)).toBeTruthy()
})

it('asks for another range, and for try-outs where there are some', async () => {
  const requests = await open({ ...timeline, periods: [nothing, nothing], try_outs: 3 }, {})
  expect(await screen.findByText('No calls in this period except from “Try it”.')).toBeTruthy()
  fireEvent.click(within(screen.getByRole('radiogroup', { name: 'Period' })).getByText('30 days'))
  fireEvent.click(screen.getByRole('switch', { name: 'Include 3 calls from “Try it”' }))
  await vi.waitFor(() => {
    expect(requests.some((url) => url.includes('range=30d') && url.includes('try_outs=true'))).toBe(true)
  })
  expect(requests.some((url) => url.includes('range=24h') && url.includes('try_outs=false'))).toBe(true)
})
