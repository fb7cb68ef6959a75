import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { Retrain } from '../api/retraining'
import { RetrainForm } from './retrain-form'

beforeAll(async () => {
  await startI18n()
})
beforeEach(() => setLanguage('en'))
afterEach(() => vi.unstubAllGlobals())

const retrain: Retrain = {
  starts_rollout: false,
  blocked: null,
  trainings: [],
  reasons: [
    {
      reason: 'labels',
      title: { en: 'New labels', zh: '新增标注' },
      is_on: false,
      holds_since: null,
      limit: { value: 100, least: 1, most: 1000, label: { en: 'At least', zh: '至少' } },
    },
  ],
}

it('sends what was switched on, with its number, and shows why it was refused', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.json())
    const problem = { code: 'retrain_rule_invalid', title: '', detail: '', hint: '', params: { reason: { en: 'Too many.', zh: '太多。' } } }
    return sent.length === 1 ? Response.json(problem, { status: 422 }) : Response.json(retrain)
  })
  const onSaved = vi.fn()
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <RetrainForm deployment="dep_1" retrain={retrain} onSaved={onSaved} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(screen.queryByLabelText('At least')).toBeNull()
  fireEvent.click(screen.getByRole('switch', { name: 'New labels' }))
  fireEvent.change(screen.getByLabelText('At least'), { target: { value: '40' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/Too many/)).toBeTruthy()
  fireEvent.click(screen.getByRole('switch', { name: /Start a rollout/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(sent).toEqual([
    { reasons: [{ reason: 'labels', is_on: true, limit: 40 }], starts_rollout: false },
    { reasons: [{ reason: 'labels', is_on: true, limit: 40 }], starts_rollout: true },
  ])
})
