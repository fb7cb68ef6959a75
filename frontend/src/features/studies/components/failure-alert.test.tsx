import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { Study } from '../api/types'
import { Cures, FailureAlert } from './failure-alert'

const same = (text: string) => ({ en: text, zh: text })
const STUDY = {
  id: 'stu_1',
  project: 'prj_1',
  state: 'failed',
  ended_by: 'done',
  error: { code: 'item_damaged', message: 'Three pictures.', hint: '', items: ['itm_1'] },
} as unknown as Study
const FAILURE = {
  code: 'item_damaged',
  trial: 'trl_1',
  num_items: 3,
  items: [{ id: 'itm_1', name: 'cat/1.png', thumbnail_url: null, is_left_out: false }],
  cures: [
    { name: 'leave_items_out', title: same('Leave them out'), changes: [same('3 are put aside.'), same('A new version.')], page: null },
    { name: 'free_space', title: same('See what takes space'), changes: [same('Old versions.')], page: 'usage' },
  ],
}

beforeAll(async () => {
  await startI18n()
})
beforeEach(() => setLanguage('en'))
afterEach(() => vi.unstubAllGlobals())

const JOB = { id: 'job_1', project: 'prj_1', progress_fraction: 0, made: null, error: null, ended_at: null }

/** Draws the alert over a server that knows the failure; gives the addresses that were posted to. A large dataset takes a job. */
function show(role: string, isLarge = false, shown = <FailureAlert study={STUDY} />) {
  const posted: string[] = []
  vi.stubGlobal('fetch', (request: Request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/jobs/job_1') return Promise.resolve(Response.json({ ...JOB, made: 'stu_2', ended_at: '2026-01-01T00:00:00Z' }))
    if (request.method === 'GET') return Promise.resolve(Response.json({ ...FAILURE, job: posted.length ? JOB : null }))
    posted.push(pathname + new URL(request.url).search)
    if (isLarge) return Promise.resolve(Response.json({ job: JOB }, { status: 202 }))
    return Promise.resolve(Response.json({ id: 'stu_2', project: 'prj_1' }, { status: 201 }))
  })
  const client = newQueryClient()
  client.setQueryData(['me'], { workspaces: [{ id: 'wsp_1', role }] })
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={['/projects/prj_1/studies/stu_1']}>
          <Routes>
            <Route path="/projects/:project/studies/stu_1" element={shown} />
            <Route path="/projects/:project/studies/stu_2" element={<p>the new study</p>} />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return posted
}

it.each([false, true])('names what made the study fail and leads to the study that a cure starts (by a job: %s)', async (isLarge) => {
  const posted = show('owner', isLarge)
  expect((await screen.findByText('cat/1.png')).closest('a')?.getAttribute('href')).toBe('/projects/prj_1/labelling?item=itm_1')
  screen.getByText('and 2 more')
  screen.getByText('3 are put aside.')
  expect(screen.getByRole('link', { name: 'See what takes space' }).getAttribute('href')).toBe('/settings?tab=usage')
  fireEvent.click(screen.getByRole('button', { name: 'Leave them out' }))
  await screen.findByText('the new study')
  expect(posted).toEqual(['/api/studies/stu_1/cures/leave_items_out'])
})

it('cures a trial that failed', async () => {
  const posted = show('owner', false, <Cures study={{ ...STUDY, state: 'succeeded', error: null }} trial="trl_1" />)
  fireEvent.click(await screen.findByRole('button', { name: 'Leave them out' }))
  await screen.findByText('the new study')
  expect(posted).toEqual(['/api/studies/stu_1/cures/leave_items_out?trial=trl_1'])
})

it('offers no buttons to those who may start no study', async () => {
  show('viewer')
  await screen.findByText('cat/1.png')
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('link', { name: 'See what takes space' })).toBeNull()
})
