import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { DeviceRollout } from '../api/devices'
import { RolloutBanner } from './rollout-banner'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})
afterEach(() => vi.unstubAllGlobals())

const rollout: DeviceRollout = {
  id: 'dro_1',
  artefact: { id: 'art_1', number: 7, name: '' },
  gallery: { id: 'gal_1', name: 'Packs' },
  first: 'north',
  first_id: 'dvc_1',
  allows_other_labels: true,
  state: 'failed',
  error: null,
  build_error: { code: 'new_code', message: 'The gallery is empty.', hint: 'Add pictures.', items: [] },
  num_done: 0,
  num_devices: 2,
  created_at: '2026-01-01T00:00:00Z',
}

it('says why a rollout failed, and begins the same again with one press', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'POST') sent.push(await request.json())
    return Response.json(rollout)
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <RolloutBanner project="prj_1" canChange />
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(await screen.findByText(/could not be built.*The gallery is empty\. Add pictures\./)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Try again, first on north' }))
  await waitFor(() => expect(sent).toEqual([{ artefact: 'art_1', gallery: 'gal_1', first: 'dvc_1', allows_other_labels: true }]))
})
