import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, renderHook, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import { StartField } from './start-field'
import { useStudyForm, type StudyFormState } from './use-study-form'

const TRAIN = { family: 'resnet', size: '18', params: { epochs: 5 } }
const MODELS = [
  { id: 'art_2', number: 2, family: 'linear_probe', size: '0', version_number: 1, continues: false, manifest: { train: TRAIN } },
  { id: 'art_1', number: 1, family: 'resnet', size: '18', version_number: 1, continues: true, manifest: { train: TRAIN } },
]

beforeAll(async () => {
  startI18n()
  await setLanguage('en')
})
afterEach(() => vi.unstubAllGlobals())

function show(form: StudyFormState, models: readonly object[]) {
  const client = newQueryClient()
  vi.stubGlobal('fetch', (request: Request) =>
    Promise.resolve(Response.json(request.url.includes('/artefacts') ? { items: models, next_cursor: null } : [])),
  )
  const view = render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={['/projects/prj_1/studies/new']}>
          <Routes>
            <Route path="/projects/:project/studies/new" element={<StartField form={form} />} />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { ...view, client }
}

it('offers the models that can be gone on from, and trains as the chosen one was trained', async () => {
  const { result } = renderHook(() => useStudyForm('dsv_1', [], []))
  const view = show(result.current, MODELS)
  fireEvent.click(await screen.findByRole('combobox', { name: 'Start from' }))
  expect(screen.getAllByRole('option', { hidden: true }).map((option) => option.textContent)).toEqual([
    'Model #1: resnet · 18, trained on version 1',
  ])
  fireEvent.click(screen.getByRole('option', { hidden: true }))
  expect(result.current.values.start).toEqual({ id: 'art_1', ...TRAIN })
  expect(result.current.values.single).toMatchObject({ family: 'resnet', size: '18' })
  view.unmount()
})

it('is not there where no model can be gone on from', async () => {
  const { result } = renderHook(() => useStudyForm('dsv_1', [], []))
  const { client } = show(result.current, MODELS.slice(0, 1))
  await vi.waitFor(() => expect(client.getQueryState(['artefacts', 'starts', 'prj_1'])?.status).toBe('success'))
  expect(screen.queryByText('Start from')).toBeNull()
})
