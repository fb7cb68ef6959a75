import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { Item } from '../../../lib/api/types'
import type { Column, Columns } from '../../../lib/table/columns'
import { NOTHING, type Selection } from '../model/selection'
import { Wall } from '../model/wall'
import { RowGrid } from './row-grid'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})
afterEach(() => {
  vi.unstubAllGlobals()
  notifications.clean()
})

const column = (name: string, kind: Column['kind'], role: Column['role'] = 'feature'): Column => ({
  name,
  kind,
  role,
  decimal: '.',
  units: [],
  datetime_format: '',
})
const table = { columns: [column('age', 'number'), column('left', 'category', 'target'), column('city', 'category')], target: 'left' }

type Cells = Record<string, string>

/** A server with three rows, whose hash is what they hold; remembers what each held before. */
class InMemoryRows {
  rows: Cells[] = [
    { age: '41', city: 'Ulm', left: 'no' },
    { age: '42', city: 'Jena', left: 'no' },
    { age: '43', left: 'yes' },
  ]
  before: Cells[] = []
  /** Changes wait for this. */
  isLet: Promise<void> = Promise.resolve()
  refusal: { status: number; code: string; title: string } | null = null

  item(place: number): Item {
    const cells = this.rows[place] ?? {}
    const label = { kind: 'class', label: cells.left }
    return {
      id: `itm_${place}`,
      name: `rows.csv ${place + 1}`,
      dataset: 'dst_1',
      blob: JSON.stringify(cells),
      row: { cells, copy_number: 1 },
      state: 'annotated',
      annotations: [label],
    } as unknown as Item
  }

  answer = async (request: Request): Promise<Response> => {
    const [, place, what] = /items\/itm_(\d)\/?(.*)$/.exec(new URL(request.url).pathname) ?? []
    if (place === undefined) return Response.json({ id: 'usr_1', workspaces: [], num_open: {} })
    const item = this.item(Number(place))
    if (what === 'cells/history') {
      const by = { kind: 'user', id: 'usr_1', name: 'Ada' }
      return Response.json(this.before.map((cells) => ({ row: { cells }, blob: '', changed_by: by, changed_at: '2026-01-01T00:00:00Z' })))
    }
    if (request.method !== 'PATCH') return Response.json(item)
    await this.isLet
    const { cells, blob } = (await request.json()) as { cells: Record<string, string | null>; blob: string }
    if (this.refusal) return Response.json(this.refusal, { status: this.refusal.status })
    if (blob !== item.blob) return Response.json({ code: 'row_stale' }, { status: 409 })
    this.change(Number(place), cells)
    return Response.json(this.item(Number(place)))
  }

  change(place: number, cells: Record<string, string | null>): void {
    this.before.unshift(this.rows[place] ?? {})
    const all = { ...this.rows[place], ...cells }
    this.rows[place] = Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null))
  }
}

let number = 0

interface PageProps {
  dataset: string
  server: InMemoryRows
  canEdit: boolean
  selection: Selection
  onOpen: (item: Item) => void
  onDelete: () => void
}

function Page({ dataset, server, canEdit, selection, onOpen, onDelete }: PageProps) {
  const wall = useMemo(() => {
    const items = () => Promise.resolve(server.rows.map((_, place) => server.item(place)))
    return new Wall({
      positions: () => Promise.resolve({ starts: ['itm_0'], segment: 100, num_items: server.rows.length }),
      range: items,
      named: items,
      first: async () => ({ items: await items(), isAll: true }),
    })
  }, [server])
  useEffect(() => void wall.start(), [wall])
  const state = useSyncExternalStore(wall.subscribe, wall.getState)
  const shared = {
    wall,
    state,
    table: table as Columns,
    labels: [],
    selection,
    at: 0,
    onAt: vi.fn(),
    onSelect: vi.fn(),
    onDiscuss: vi.fn(),
  }
  return <RowGrid dataset={dataset} canEdit={canEdit} onOpen={onOpen} onDelete={onDelete} {...shared} />
}

async function open({ canEdit = true, ids = [] as string[] } = {}) {
  const server = new InMemoryRows()
  vi.stubGlobal('fetch', server.answer)
  const onOpen = vi.fn()
  const onDelete = vi.fn()
  const selection = { ...NOTHING, ids: new Set(ids) }
  number += 1
  render(
    <MantineProvider env="test">
      <Notifications />
      <QueryClientProvider client={newQueryClient()}>
        <Page dataset={`dst_${number}`} server={server} canEdit={canEdit} selection={selection} onOpen={onOpen} onDelete={onDelete} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByText('Jena')
  return { server, onOpen, onDelete, user: userEvent.setup() }
}

const cell = (place: number, number: number) => {
  const row = screen.getAllByRole('row').find((one) => one.dataset.index === String(place))
  return within(row as HTMLElement).getAllByRole('gridcell')[number] as HTMLElement
}
const field = () => screen.queryByRole<HTMLInputElement>('textbox')

it('is walked by keys from the target to every cell, and changes one where it stands', async () => {
  const { server, onOpen, user } = await open()
  await user.tab()
  expect(document.activeElement).toBe(cell(0, 0))
  await user.keyboard('{Enter}')
  expect([onOpen.mock.calls.length, field()]).toEqual([1, null]) // the target is annotated in labelling
  await user.keyboard('{ArrowDown}{ArrowRight}{Enter}')
  expect(field()?.value).toBe('42')
  let goOn: () => void = () => undefined
  server.isLet = new Promise((resolve) => (goOn = resolve))
  await user.keyboard('50{Tab}')
  expect([cell(1, 1).textContent, cell(1, 1).getAttribute('aria-busy')]).toEqual(['50', 'true'])
  expect(document.activeElement).toBe(cell(1, 2))
  goOn()
  await waitFor(() => expect(server.rows[1]?.age).toBe('50'))
  await waitFor(() => expect(cell(1, 1).getAttribute('aria-busy')).toBeNull())
  await user.keyboard('{F2}{Delete}{Enter}')
  await waitFor(() => expect(server.rows[1]).toEqual({ age: '50', left: 'no' }))
  expect(cell(1, 2).textContent).toBe('missing')
  expect(document.activeElement).toBe(cell(1, 2))
})

it('takes a change back from the notice, and by the key', async () => {
  const { server, user } = await open()
  await user.dblClick(cell(0, 2))
  await user.keyboard('Bonn{Enter}')
  expect(await screen.findByText('city: Ulm → Bonn')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.rows[0]?.city).toBe('Ulm'))
  await user.dblClick(cell(0, 2))
  await user.keyboard('Bern{Enter}')
  await waitFor(() => expect(server.rows[0]?.city).toBe('Bern'))
  await screen.findByText('city: Ulm → Bern')
  await user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(server.rows[0]?.city).toBe('Ulm'))
})

it('keeps a text that was refused, with the reason, until it is given up', async () => {
  const { server, user } = await open()
  server.refusal = { status: 422, code: 'cells_invalid', title: 'The cells cannot be so' }
  await user.dblClick(cell(0, 1))
  await user.keyboard('12{Enter}')
  await waitFor(() => expect(cell(0, 1).dataset.edit).toBe('refused'))
  expect([cell(0, 1).textContent, server.rows[0]?.age]).toEqual(['12', '41'])
  await user.keyboard('{Enter}')
  expect([field()?.value, screen.getByRole('tooltip').textContent]).toEqual(['12', 'The cells cannot be so'])
  await user.keyboard('{Escape}')
  expect([cell(0, 1).textContent, cell(0, 1).dataset.edit]).toEqual(['41', undefined])
})

it('shows both values where somebody else was faster, and lets choose', async () => {
  const { server, user } = await open()
  await user.dblClick(cell(0, 1))
  server.change(0, { age: '60' })
  await user.keyboard('12{Enter}')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole('region', { name: 'Yours' }).textContent).toBe('12')
  expect(within(dialog).getByRole('region', { name: 'Saved in the meantime' }).textContent).toBe('60')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(cell(0, 1).dataset.edit).toBe('stale')
  expect(document.activeElement).toBe(cell(0, 1))
  await user.keyboard('{Enter}')
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep what is saved' }))
  await waitFor(() => expect(cell(0, 1).textContent).toBe('60'))
  expect(server.rows[0]?.age).toBe('60')
})

it('reports what a cell held, and brings it back', async () => {
  const { server, user } = await open()
  server.change(0, { age: '60' })
  fireEvent.focus(cell(0, 1))
  await user.keyboard('h')
  const drawer = await screen.findByRole('dialog')
  expect(await within(drawer).findByText('Ada')).toBeTruthy()
  await user.click(within(drawer).getByRole('button', { name: 'Use 41 again' }))
  await waitFor(() => expect(server.rows[0]?.age).toBe('41'))
})

it('is only read by who may not write: Enter opens the row', async () => {
  const { onOpen, user } = await open({ canEdit: false })
  cell(1, 1).focus()
  await user.keyboard('{Enter}')
  await user.dblClick(cell(1, 2))
  expect(onOpen).toHaveBeenCalledTimes(2)
  expect([field(), cell(1, 1).getAttribute('aria-readonly')]).toEqual([null, 'true'])
})

it('empties a cell by the key that deletes, which asks where other rows are selected', async () => {
  const { server, onDelete, user } = await open({ ids: ['itm_0'] })
  await user.click(cell(0, 2))
  await user.keyboard('{Delete}')
  await waitFor(() => expect(server.rows[0]).toEqual({ age: '41', left: 'no' }))
  expect(onDelete).not.toHaveBeenCalled()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.rows[0]?.city).toBe('Ulm'))
  await user.click(cell(1, 1))
  await user.keyboard('{Delete}')
  expect(onDelete).toHaveBeenCalledOnce()
  expect(server.rows[1]?.age).toBe('42')
})

it('leaves the key to the page on the target, and where nothing may be changed', async () => {
  const { server, onDelete, user } = await open({ canEdit: false, ids: ['itm_0'] })
  await user.click(cell(0, 2))
  await user.keyboard('{Delete}')
  await user.click(cell(0, 0))
  await user.keyboard('{Delete}')
  expect([onDelete.mock.calls.length, server.rows[0]?.city]).toEqual([0, 'Ulm'])
})
