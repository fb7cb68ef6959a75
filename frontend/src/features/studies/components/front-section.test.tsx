import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { Study, Trial } from '../api/types'
import { FrontSection } from './front-section'

const MB = 1024 ** 2
const TRIALS = [
  { id: 'trl_a', number: 0, value: 0.9, footprint: { latency_ms: 12, model_bytes: 44 * MB }, members: null },
  { id: 'trl_b', number: 1, value: 0.8, footprint: { latency_ms: 3, model_bytes: 2 * MB }, members: null },
  { id: 'trl_c', number: 2, value: 0.7, footprint: { latency_ms: 4, model_bytes: 3 * MB }, members: null },
  { id: 'trl_d', number: 3, value: null, footprint: {}, members: null },
  { id: 'trl_r', number: 4, value: 0.9, footprint: { latency_ms: 12, model_bytes: 44 * MB }, members: ['trl_a'] },
].map((trial) => ({ ...trial, train: { family: 'resnet', size: '18', params: {} } })) as unknown as Trial[]
const STUDY = {
  id: 'stu_1',
  project: 'prj_1',
  state: 'succeeded',
  objective: { name: 'accuracy', title: { en: 'Accuracy', zh: '准确率' }, is_higher_better: true },
  also_improves: ['latency_ms', 'model_bytes'],
  front: ['trl_a', 'trl_b'],
  judged_trial: 'trl_a',
} as unknown as Study

beforeAll(async () => {
  await startI18n()
})
beforeEach(() => setLanguage('en'))
afterEach(() => vi.unstubAllGlobals())

/** Draws the section over a server that takes choices; gives what was sent and what was opened. */
function show(study: Study, role = 'engineer', trials = TRIALS) {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly callback: ResizeObserverCallback) {}
      observe() {
        this.callback([{ contentRect: { width: 600, height: 280 } } as ResizeObserverEntry], this as unknown as ResizeObserver)
      }
      unobserve() {}
      disconnect() {}
    },
  )
  const sent: { path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') return Response.json({})
    sent.push({ path: new URL(request.url).pathname, body: await request.json() })
    return Response.json(study)
  })
  const client = newQueryClient()
  client.setQueryData(['me'], { workspaces: [{ id: 'wsp_1', role }] })
  const onOpen = vi.fn()
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={['/projects/prj_1/studies/stu_1']}>
          <Routes>
            <Route path="/projects/:project/studies/:study" element={<FrontSection study={study} trials={trials} onOpen={onOpen} />} />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { sent, onOpen }
}

const points = () => within(screen.getByRole('group')).getAllByRole('button')

it('draws every measured trial by the objective chosen, from left to right, and marks those on the front', async () => {
  const { onOpen } = show(STUDY)
  await screen.findByRole('group')
  expect(points().map((point) => point.getAttribute('aria-label'))).toEqual([
    'Trial 2: 80.0%, 3 ms',
    'Trial 3: 70.0%, 4 ms',
    'Trial 1: 90.0%, 12 ms',
  ])
  expect(points().map((point) => point.getAttribute('data-rank'))).toEqual(['front', 'beaten', 'front'])
  const places = points().map((point) => Number(point.getAttribute('cx')))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  fireEvent.click(screen.getByRole('radio', { name: 'Size of the model' }))
  expect(points().map((point) => point.getAttribute('aria-label'))).toContain('Trial 2: 80.0%, 2.0 MB')
  fireEvent.click(points().find((point) => point.getAttribute('aria-label')?.startsWith('Trial 3')) as Element)
  expect(onOpen).toHaveBeenCalledWith('trl_c')
})

it('lists the front with all its values, and ships another one by one click', async () => {
  const { sent } = show(STUDY)
  const [, ...rows] = within(screen.getByRole('table', { name: 'Best trade-offs' })).getAllByRole('row')
  expect(rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))).toEqual([
    ['1 · resnet · 18', '90.0%', '12 ms', '44.0 MB', 'shipped'],
    ['2 · resnet · 18', '80.0%', '3 ms', '2.0 MB', 'Ship this one'],
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Ship trial 2' }))
  await vi.waitFor(() => expect(sent).toEqual([{ path: '/api/studies/stu_1/ship', body: { trial: 'trl_b' } }]))
})

it.each([
  ['while the study runs', { ...STUDY, state: 'running' } as Study, 'engineer'],
  ['to somebody who only reads', STUDY, 'viewer'],
])('offers no choice %s', (_, study, role) => {
  show(study, role)
  expect(screen.queryByRole('button', { name: 'Ship trial 2' })).toBeNull()
  expect(screen.queryByText('You can choose another one when the study has ended.') !== null).toBe(study.state === 'running')
})

it('shows that nothing is known before a trial has finished', () => {
  show({ ...STUDY, state: 'running', front: [] }, 'engineer', TRIALS.slice(3, 4))
  expect(screen.getByText('Known once a trial has finished.')).toBeTruthy()
})
