import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, expect, it } from 'vitest'

import { startI18n } from '../i18n'
import { EmptyState } from './empty-state'
import { ListPage } from './list-page'

beforeAll(startI18n)

const PAGES = [
  { items: [{ id: 'one', size: 3 }], next: 1 },
  { items: [{ id: 'two', size: 1 }], next: 2 },
  { items: [{ id: 'three', size: 2 }], next: null },
]

function List() {
  const query = useInfiniteQuery({
    queryKey: ['list'],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => Promise.resolve(PAGES[pageParam] ?? { items: [], next: null }),
    getNextPageParam: (page) => page.next,
  })
  const columns = [{ key: 'size', title: 'Size', render: ({ id }: { id: string }) => id, sortValue: ({ size }: { size: number }) => size }]
  return <ListPage title="List" lead="" query={query} columns={columns} empty="" />
}

async function shown(address: string): Promise<(string | null)[]> {
  const router = createMemoryRouter([{ path: '/', element: <List /> }], { initialEntries: [address] })
  const { unmount } = render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const last = address === '/' ? 'one' : 'three'
  await screen.findByText(last)
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1)
  const names = rows.map(({ textContent }) => textContent)
  unmount()
  return names
}

it('fetches a list to its end before it is sorted, and no further page otherwise', async () => {
  expect(await shown('/?sort=size')).toEqual(['two', 'three', 'one'])
  expect(await shown('/?sort=-size')).toEqual(['one', 'three', 'two'])
  expect(await shown('/')).toEqual(['one'])
})
it('offers what makes a row in the header, and in an empty list where it says so only', async () => {
  const create = <button>New row</button>
  const query = (items: { id: string }[]) => ({
    data: { pages: [{ items }] },
    error: null,
    isPending: false,
    isLoadingError: false,
    refetch: () => undefined,
    hasNextPage: false,
    isFetchNextPageError: false,
    isFetchingNextPage: false,
    fetchNextPage: () => undefined,
  })
  const page = (items: { id: string }[]) => (
    <ListPage
      title="List"
      lead=""
      create={create}
      query={query(items)}
      columns={[]}
      empty={
        <EmptyState drawing="versions" title="No row yet" action={create}>
          Rows come here.
        </EmptyState>
      }
    />
  )
  const routed = (items: { id: string }[]) =>
    render(
      <MantineProvider env="test">
        <RouterProvider router={createMemoryRouter([{ path: '/', element: page(items) }])} />
      </MantineProvider>,
    )
  const { unmount } = routed([])
  // The command palette finds it in either place.
  expect(
    (await screen.findAllByRole('button', { name: 'New row' })).map((button) => button.closest('[data-page-actions]') !== null),
  ).toEqual([true])
  expect(screen.getByText('Rows come here.')).toBeTruthy()
  unmount()
  routed([{ id: 'one' }])
  expect(await screen.findAllByRole('button', { name: 'New row' })).toHaveLength(1)
  expect(screen.queryByText('No row yet')).toBeNull()
})
