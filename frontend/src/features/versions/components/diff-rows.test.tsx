import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { DiffItem } from '../api/types'
import { DiffRows } from './diff-rows'

vi.mock('react-router', async (original) => ({ ...(await original()), useParams: () => ({ project: 'prj_1' }) }))

const columns = ['left', 'age', 'city'].map((name) => ({
  name,
  kind: 'category',
  role: name === 'left' ? 'target' : 'feature',
  decimal: '.',
}))

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ columns })))
})

const labelled = (label: string) => [{ kind: 'class', label }]
const row = (cells: Record<string, string> | null) => (cells === null ? null : { cells })

function item(name: string, before: Record<string, string> | null, after: Record<string, string> | null, sides: object = {}): DiffItem {
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed'
  const split = { split_before: 'train', split_after: 'train' }
  const both = { before: before && labelled('no'), after: after && labelled('no') }
  return {
    item: name,
    name,
    kind,
    aspects: ['row'],
    row_before: row(before),
    row_after: row(after),
    ...split,
    ...both,
    ...sides,
  } as DiffItem
}

const rows = [
  item('one', { age: '41', city: 'Ulm' }, { age: '42', city: 'Ulm' }),
  item('two', null, { age: '7', city: 'Jena' }),
  item('three', { age: '8' }, null),
  item('four', { age: '9' }, { age: '9' }, { aspects: ['annotations'], before: labelled('no'), after: labelled('yes') }),
]

async function open(fetchNextPage = vi.fn(), hasNextPage = false) {
  const query = { data: { pages: [{ items: rows }] }, isPending: false, hasNextPage, isFetchingNextPage: false, fetchNextPage }
  const queries = newQueryClient()
  queries.setQueryData(['project', 'prj_1'], { id: 'prj_1', dataset: 'dst_1', task: 'some_task', task_options: {} })
  queries.setQueryData(
    ['tasks'],
    [{ name: 'some_task', modality: 'tabular', annotation: { kinds: ['class'] }, outputs: ['class_scores'], metrics: [], options: [] }],
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <DiffRows before="dsv_1" after="dsv_2" items={query as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('grid')
  return userEvent.setup()
}

const line = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name},`) })
const textOf = (name: string) =>
  within(line(name))
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)

it('shows what a cell held above what it holds, and marks no other', async () => {
  await open()
  const [, age, city] = within(line('one')).getAllByRole('gridcell')
  expect([age?.querySelector('del')?.textContent, age?.querySelector('ins')?.textContent, age?.title]).toEqual(['41', '42', '41 → 42'])
  expect([city?.textContent, city?.querySelector('del')]).toEqual(['Ulm', null])
  expect(textOf('two').slice(1)).toEqual(['7', 'Jena'])
  expect(within(line('three')).getAllByRole('gridcell')[1]?.querySelector('del')?.textContent).toBe('8')
  expect(textOf('four')[0]).toContain('no → yes')
})

it('keeps to the columns that changed when asked, and is walked by keys', async () => {
  const user = await open()
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['left', 'age', 'city'])
  await user.click(screen.getByRole('switch'))
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['left', 'age'])
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowRight}')
  expect(document.activeElement?.textContent).toBe('7')
})

it('asks for the next rows where the last are in sight', async () => {
  const fetchNextPage = vi.fn()
  await open(fetchNextPage, true)
  expect(fetchNextPage).toHaveBeenCalled()
})
