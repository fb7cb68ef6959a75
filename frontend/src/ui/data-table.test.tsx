import { MantineProvider } from '@mantine/core'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'

import type { Sort } from '../lib/sort'
import { DataTable } from './data-table'

interface Model {
  id: string
  accuracy: number | null
}

const ROWS: Model[] = [
  { id: 'M1', accuracy: 0.8 },
  { id: 'M2', accuracy: null },
  { id: 'M3', accuracy: 0.95 },
]

function Sorted() {
  const [sort, setSort] = useState<Sort | null>(null)
  return (
    <DataTable
      caption="Models"
      rows={ROWS}
      rowKey={({ id }) => id}
      sort={sort}
      onSort={setSort}
      columns={[
        { key: 'id', title: 'Name', render: ({ id }) => id },
        { key: 'accuracy', title: 'Accuracy', render: (row) => row.accuracy, sortValue: (row) => row.accuracy, isDescendingFirst: true },
      ]}
    />
  )
}

it('sorts by a head that is pressed, and shows it', async () => {
  const user = userEvent.setup()
  render(<Sorted />, { wrapper: ({ children }) => <MantineProvider>{children}</MantineProvider> })
  const names = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[0]?.textContent)
  expect(names()).toEqual(['M1', 'M2', 'M3'])
  await user.click(screen.getByRole('button', { name: 'Accuracy' }))
  expect(names()).toEqual(['M3', 'M1', 'M2'])
  expect(screen.getByRole('columnheader', { name: 'Accuracy' }).getAttribute('aria-sort')).toBe('descending')
  await user.keyboard('{Enter}')
  expect(names()).toEqual(['M1', 'M3', 'M2'])
  expect(screen.queryByRole('button', { name: 'Name' })).toBeNull()
})

it('shows rows as cards in a narrow window, sorted as the table is', async () => {
  const wide = window.matchMedia
  window.matchMedia = (query) => ({ ...wide(query), matches: query === '(max-width: 48em)' })
  const user = userEvent.setup()
  render(<Sorted />, { wrapper: ({ children }) => <MantineProvider>{children}</MantineProvider> })
  window.matchMedia = wide
  const cards = () =>
    within(screen.getByRole('list', { name: 'Models' }))
      .getAllByRole('listitem')
      .map((card) => card.textContent)
  expect(screen.queryByRole('table')).toBeNull()
  expect(cards()).toEqual(['M1Accuracy0.8', 'M2Accuracy', 'M3Accuracy0.95'])
  await user.click(screen.getByRole('button', { name: 'Accuracy', pressed: false }))
  expect(cards()).toEqual(['M3Accuracy0.95', 'M1Accuracy0.8', 'M2Accuracy'])
  expect(screen.getByRole('button', { name: 'Accuracy', pressed: true })).toBeDefined()
})
