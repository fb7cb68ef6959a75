import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import { DatabaseDialog } from './database-dialog'

const PASSWORD = 's3cret-of-the-reader'
const REFUSAL = { code: 'source_refused', title: 'Nothing can be collected from there', detail: '', hint: '' }

/** A server that has opened these folders, and takes an order or refuses it; remembers the orders. */
function server(folders: string[], takes: boolean) {
  const orders: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') return Response.json({ folders })
    orders.push(await request.json())
    if (takes) return Response.json({ upload: {}, job: {} }, { status: 202 })
    return Response.json(REFUSAL, { status: 422, headers: { 'Content-Type': 'application/problem+json' } })
  })
  return orders
}

function Page() {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button onClick={() => setOpen(true)}>again</button>
      <DatabaseDialog dataset="dst_1" opened={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

function open() {
  const client = newQueryClient()
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return client
}

const field = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })
const password = () => screen.getByLabelText<HTMLInputElement>('Password')
const fetchRows = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Fetch the rows' })

beforeAll(async () => {
  await startI18n()
  // A field that grows asks whether fonts have come; jsdom has none.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
})
beforeEach(() => setLanguage('en'))
afterEach(() => vi.unstubAllGlobals())

it('sends a pasted address, and forgets the password once it is sent', async () => {
  const orders = server([], true)
  const client = open()
  const whole = `postgresql://ada:${PASSWORD}@db.example.org:6543/shop?sslmode=require`
  fireEvent.paste(field('Address of the server'), { clipboardData: { getData: () => whole } })
  expect([field('Address of the server').value, password().value, password().type]).toEqual(['db.example.org', PASSWORD, 'password'])
  expect(fetchRows().disabled).toBe(true)
  await userEvent.type(field('Query'), 'SELECT 1{Control>}{Enter}{/Control}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const source = {
    kind: 'sql',
    engine: 'postgresql',
    host: 'db.example.org',
    port: 6543,
    database: 'shop',
    user: 'ada',
    password: PASSWORD,
    tls: 'require',
    query: 'SELECT 1',
  }
  expect(orders).toEqual([{ source, labels: 'none' }])
  await userEvent.click(screen.getByText('again'))
  expect([field('Query').value, field('User').value, password().value]).toEqual(['SELECT 1', 'ada', ''])
  const remembered = () =>
    JSON.stringify(
      client
        .getMutationCache()
        .getAll()
        .map(({ state }) => state),
    )
  await waitFor(() => expect(remembered()).not.toContain(PASSWORD))
})

it('asks a file below an opened folder, and shows in words when it is refused', async () => {
  const orders = server(['/srv/data'], false)
  open()
  await userEvent.click(screen.getByText('SQLite file'))
  await userEvent.type(await screen.findByRole('textbox', { name: 'File below it' }), 'shop.sqlite')
  await userEvent.type(field('Query'), 'SELECT 1')
  await userEvent.click(fetchRows())
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Nothing can be collected from there')
  expect(orders).toMatchObject([{ source: { engine: 'sqlite', database: '/srv/data/shop.sqlite', password: '' } }])
})

it('shows what is missing where no folder is open', async () => {
  server([], true)
  open()
  await userEvent.click(screen.getByText('SQLite file'))
  expect((await screen.findByText(/MODELYARD_SOURCE_FOLDERS/)).textContent).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'File below it' })).toBeNull()
})
