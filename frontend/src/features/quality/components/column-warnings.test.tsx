import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import { useTask } from '../../../lib/project/task'
import { ColumnWarnings } from './column-warnings'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})
afterEach(() => vi.unstubAllGlobals())

/** On the page the project is known before anything of it is shown. */
const Known = () => (useTask().data ? <ColumnWarnings /> : null)

/** A server with one project of a table, whose profile warns of this. */
function shown(warnings: { code: string; column: string | null }[], columns: { name: string; role: string }[] = []) {
  const answer = (request: Request) => {
    const path = new URL(request.url).pathname
    if (path.endsWith('/profile')) return Response.json({ profile: { columns: [], warnings }, job: null, is_stale: false })
    if (path.endsWith('/columns')) return Response.json({ columns, target: null, job: null })
    if (path === '/api/tasks') return Response.json([{ name: 'tabular_prediction', modality: 'tabular' }])
    return Response.json({ id: 'prj_1', dataset: 'dst_1', task: 'tabular_prediction' })
  }
  vi.stubGlobal('fetch', (request: Request) => Promise.resolve(answer(request)))
  const router = createMemoryRouter([{ path: '/projects/:project', children: [{ path: 'quality', element: <Known /> }] }], {
    initialEntries: ['/projects/prj_1/quality'],
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={newQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

it('names the column that gives the target away, and leads to it', async () => {
  shown([
    { code: 'mostly_missing', column: 'smoker' },
    { code: 'leaks_target', column: 'biopsy_code' },
  ])
  expect((await screen.findByRole('alert')).textContent).toContain('biopsy_code nearly determines the target')
  expect(screen.getByRole('link').getAttribute('href')).toBe('/projects/prj_1/columns')
})

it('counts what else there is to look at', async () => {
  shown([{ code: 'mostly_missing', column: 'smoker' }])
  expect((await screen.findByRole('alert')).textContent).toContain('The columns have 1 thing to look at')
})

it('says nothing of a column that is ignored by now', async () => {
  shown(
    [
      { code: 'leaks_target', column: 'biopsy_code' },
      { code: 'mostly_missing', column: 'smoker' },
    ],
    [
      { name: 'biopsy_code', role: 'ignored' },
      { name: 'smoker', role: 'feature' },
    ],
  )
  expect((await screen.findByRole('alert')).textContent).toContain('The columns have 1 thing to look at')
})
