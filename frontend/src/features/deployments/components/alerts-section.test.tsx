import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { AlertSettings, AlertState, DeploymentAlert } from '../api/types'
import { AlertHistory } from './alert-history'
import { AlertsForm } from './alerts-form'
import { AlertsSection } from './alerts-section'

beforeAll(async () => {
  await startI18n()
})
beforeEach(() => setLanguage('en'))
afterEach(() => vi.unstubAllGlobals())

const settings: AlertSettings = {
  is_saved: false,
  webhook_url: '',
  emails: [],
  has_mail: false,
  conditions: [
    {
      condition: 'errors',
      title: { en: 'Many failed calls', zh: '失败率过高' },
      is_on: true,
      limit: { value: 5, least: 0.1, most: 99, label: { en: 'Above (%)', zh: '高于（%）' } },
    },
    { condition: 'drift', title: { en: 'The answers have changed', zh: '结果发生变化' }, is_on: true, limit: null },
  ],
}
const alert: DeploymentAlert = {
  id: 'alr_1',
  condition: 'errors',
  title: { en: 'Many failed calls', zh: '失败率过高' },
  began_at: '2026-01-01T00:00:00Z',
  ended_at: null,
  message: { en: '12 % failed.', zh: '12% 失败。' },
  end_message: null,
  deliveries: [
    {
      id: 'dlv_1',
      event: 'began',
      channel: 'webhook',
      target: 'hooks.example.org',
      state: 'waiting',
      attempts: 1,
      sent_at: '2026-01-01T00:00:01Z',
      next_at: '2026-01-01T00:01:01Z',
      status: 500,
      code: 'answered',
      reason: { en: 'It did not answer with 2xx.', zh: '没有返回 2xx。' },
    },
  ],
}

/** Shows a part over a server that keeps settings; gives what was sent to it. */
function open(
  part: React.ReactNode,
  { hasMail = false, state = { num_watched: 2, standing: [] } as AlertState, alerts = [] as DeploymentAlert[] } = {},
) {
  let stored = { ...settings, has_mail: hasMail }
  const sent: { path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.split('/').at(-1) ?? ''
    if (request.method === 'GET')
      return Response.json({ settings: stored, state, alerts: { items: alerts, next_cursor: null } }[path], { status: 200 })
    const body: unknown = request.method === 'PUT' ? await request.json() : null
    sent.push({ path, body })
    if (path === 'test')
      return Response.json([
        { channel: 'webhook', target: 'hooks.example.org', is_delivered: true, status: 204, took_ms: 12, code: '', reason: null },
        {
          channel: 'mail',
          target: 'a@example.org',
          is_delivered: false,
          status: null,
          took_ms: 2,
          code: 'x',
          reason: { en: 'Not taken.', zh: '未接收。' },
        },
      ])
    stored = { ...stored, is_saved: true, webhook_url: 'https://hooks.example.org/x' }
    return Response.json({ ...stored, secret: 'the-secret' })
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>{part}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return sent
}

it('saves what is chosen, shows the secret once, and sends a test', async () => {
  const sent = open(<AlertsForm deployment="dep_1" />)
  fireEvent.click(await screen.findByRole('switch', { name: 'The answers have changed' }))
  fireEvent.change(screen.getByLabelText('Above (%)'), { target: { value: '7.5' } })
  fireEvent.change(screen.getByLabelText('Webhook'), { target: { value: 'https://hooks.example.org/x' } })
  expect(screen.queryByLabelText('Mail addresses')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('the-secret')).toBeTruthy()
  expect(sent).toEqual([
    {
      path: 'settings',
      body: {
        webhook_url: 'https://hooks.example.org/x',
        emails: [],
        conditions: [
          { condition: 'errors', is_on: true, limit: 7.5 },
          { condition: 'drift', is_on: false, limit: null },
        ],
      },
    },
  ])
  fireEvent.click(await screen.findByRole('button', { name: 'Send a test' }))
  expect(await screen.findByText(/^hooks.example.org: delivered in 12/)).toBeTruthy()
  expect(screen.getByText('a@example.org: Not taken.')).toBeTruthy()
  expect(screen.getByText('the-secret')).toBeTruthy()
})

it('takes mail addresses where the platform sends mail', async () => {
  const sent = open(<AlertsForm deployment="dep_1" />, { hasMail: true })
  const field = await screen.findByLabelText('Mail addresses', { selector: 'input' })
  field.focus()
  fireEvent.change(field, { target: { value: 'ops@example.org' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(await screen.findByText('ops@example.org')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(sent[0]?.body).toMatchObject({ webhook_url: '', emails: ['ops@example.org'] }))
})

it('says that all is well, that nothing is watched, or what holds', async () => {
  open(<AlertsSection deployment="dep_1" />)
  expect(await screen.findByText('All well. 2 conditions are watched.')).toBeTruthy()
  expect(await screen.findByText('No alerts so far.')).toBeTruthy()
  open(<AlertsSection deployment="dep_2" />, { state: { num_watched: 0, standing: [] } })
  expect(await screen.findByText('No alerts are set up.')).toBeTruthy()
  open(<AlertsSection deployment="dep_3" />, { state: { num_watched: 2, standing: [alert] } })
  expect(await screen.findByText('12 % failed.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Settings' })).toBeNull()
})

it('lists alerts with what became of their messages, in Chinese too', async () => {
  await setLanguage('zh')
  const over = { ...alert, id: 'alr_0', ended_at: '2026-01-01T01:00:00Z', end_message: { en: 'Over.', zh: '已不再超过。' }, deliveries: [] }
  open(<AlertHistory deployment="dep_1" />, { alerts: [alert, over] })
  expect(await screen.findByText('进行中')).toBeTruthy()
  expect(screen.getByText('已恢复')).toBeTruthy()
  expect(screen.getByText('已不再超过。')).toBeTruthy()
  expect(screen.getByText(/开始 · hooks.example.org · 尚未送达 \(500: 没有返回 2xx。\)/)).toBeTruthy()
})
