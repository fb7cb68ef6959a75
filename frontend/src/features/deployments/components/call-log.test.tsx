import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import { CallLog } from './call-log'
import { FeedbackPanel } from './feedback-panel'
import type { Deployment } from '../api/types'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})
afterEach(() => vi.unstubAllGlobals())

const call = {
  id: 'prd_1',
  at: '2026-01-01T00:00:00Z',
  status: 200,
  code: '',
  values: [14.5],
  top: [],
  uncertainty: null,
  num_pictures: 1,
  latency_ms: 2,
  input_url: null,
  input_text: null,
  input_row: null,
  feedback: [] as { place: number; label: string | null; value: number | null; loss: number }[],
}

/** The calls of a deployment of a table's model, and what can be learned from them. */
async function open(unit: 'target' | 'fraction', calls = [call]) {
  const me = { id: 'usr_1', workspaces: [{ id: 'wsp_1', name: 'Home', role: 'owner' }] }
  vi.stubGlobal('fetch', (request: Request) =>
    Promise.resolve(Response.json(request.url.includes('/log') ? { items: calls, next_cursor: null } : me)),
  )
  const queries = newQueryClient()
  queries.setQueryData(['project', 'prj_1'], { id: 'prj_1', task: 'some_task', task_options: {} })
  const metric = { name: 'some_metric', unit, only_for: {} }
  queries.setQueryData(
    ['tasks'],
    [
      {
        name: 'some_task',
        modality: 'tabular',
        annotation: { kinds: ['class', 'value'] },
        outputs: ['class_scores', 'number'],
        metrics: [metric],
        options: [],
      },
    ],
  )
  const deployment = { id: 'dep_1', keep_inputs: 'all', min_uncertainty: 0.5 } as Deployment
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={['/projects/prj_1']}>
          <Routes>
            <Route
              path="/projects/:project"
              element={
                <>
                  <CallLog deployment="dep_1" project="prj_1" />
                  <FeedbackPanel deployment={deployment} />
                </>
              }
            />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('columnheader', { name: 'Answer' })
  await screen.findByRole('button', { name: 'Send to labelling' })
}

it('speaks of no uncertainty where numbers are answered, and still takes calls back to be corrected', async () => {
  await open('target')
  expect(screen.queryByText(/uncertain|least sure/i)).toBeNull()
  expect(screen.getByText(/numbers that turned out wrong/)).toBeTruthy()
})

it('tells how unsure the model was of a category, and takes back what it was least sure of', async () => {
  await open('fraction')
  expect(screen.getByRole('columnheader', { name: 'Uncertainty' })).toBeTruthy()
  expect(screen.getByRole('slider', { name: 'From an uncertainty of' })).toBeTruthy()
})

it('names why a call was refused', async () => {
  await open('target', [{ ...call, status: 400, code: 'cell_invalid', values: [], num_pictures: 0 }])
  expect(screen.getByText('Unreadable cell')).toBeTruthy()
})

it('shows what turned out to be true', async () => {
  await open('fraction', [
    { ...call, id: 'prd_2', feedback: [{ place: 0, label: 'cat', value: null, loss: 1 }] },
    { ...call, id: 'prd_3', feedback: [{ place: 0, label: 'dog', value: null, loss: 0 }] },
    call,
  ])
  expect(screen.getByRole('columnheader', { name: 'Feedback' })).toBeTruthy()
  expect(screen.getByText('was cat')).toBeTruthy()
  expect(screen.getAllByText('correct')).toHaveLength(1)
})
