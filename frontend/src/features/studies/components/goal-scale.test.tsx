import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, renderHook, screen, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import { projectKey } from '../../../lib/project/project'
import type { Family, GoalSpec } from '../api/types'
import { GoalScale } from './goal-scale'
import { useStudyForm } from './use-study-form'

const WORD = { en: 'Heads', zh: '分类头' }
const FAMILIES = [
  {
    name: 'linear_probe',
    title: WORD,
    params: [],
    sizes: [
      { name: '0', title: WORD },
      { name: '2', title: WORD },
    ],
  },
] as unknown as Family[]
const TASK = {
  name: 'image_classification',
  families: FAMILIES,
  metrics: [],
  options: [],
  outputs: ['class_scores'],
  can_refit: true,
}
const GOALS = (['fastest', 'fast', 'balanced', 'accurate', 'most_accurate'] as const).map((name, place) => ({
  name,
  families: ['linear_probe'],
  max_trials: place + 2,
  ranges: name === 'fastest' ? { linear_probe: { size: { low: null, high: null, choices: ['0'] } } } : {},
  at_most: name === 'fastest' ? { resolution_px: 168 } : {},
  prefers_fast: name === 'fastest',
  max_answer_ratio: name === 'fastest' ? 1 : 3,
})) as unknown as GoalSpec[]

beforeAll(async () => {
  startI18n()
  await setLanguage('en')
})
afterEach(() => vi.unstubAllGlobals())

it('is a scale of five steps, each of which fills in what it means, and takes back what another one narrowed', () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([])))
  const queries = newQueryClient()
  queries.setQueryData(projectKey('prj_1'), { id: 'prj_1', task: TASK.name, task_options: {} })
  queries.setQueryData(['tasks'], [TASK])
  const { result } = renderHook(() => useStudyForm('dsv_1', FAMILIES, GOALS))
  const scale = () => (
    <QueryClientProvider client={queries}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={['/projects/prj_1/studies/new']}>
          <Routes>
            <Route path="/projects/:project/studies/new" element={<GoalScale form={result.current} families={FAMILIES} goals={GOALS} />} />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>
  )
  const view = render(scale())
  const press = (name: RegExp) => {
    act(() => void fireEvent.click(screen.getByRole('radio', { name })))
    view.rerender(scale())
  }
  expect(within(screen.getByRole('radiogroup', { name: 'Goal' })).getAllByRole('radio')).toHaveLength(6)
  expect(result.current.values).toMatchObject({ goal: 'balanced', max_trials: 4, prefers_fast: false })
  press(/^Fastest/)
  expect(result.current.values).toMatchObject({
    goal: 'fastest',
    max_trials: 2,
    prefers_fast: true,
    max_answer_ratio: 1,
    ranges: { linear_probe: { size: { choices: ['0'] } } },
    at_most: { resolution_px: 168 },
  })
  expect(screen.getByText('Heads: Heads only')).toBeTruthy()
  press(/^Most accurate/)
  expect(result.current.values).toMatchObject({ goal: 'most_accurate', max_trials: 6, ranges: {}, at_most: {}, prefers_fast: false })
  act(() => result.current.change({ at_most: { batch_size: 8 } }))
  press(/^Fast(?!est)/)
  expect(result.current.values.at_most).toEqual({ batch_size: 8 }) // what a person narrowed stays
})
