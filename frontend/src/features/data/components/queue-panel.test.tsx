import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import { InMemoryTransport } from '../model/in-memory-transport'
import { UploadQueue } from '../model/upload-queue'
import { QueuePanel } from './queue-panel'

beforeAll(async () => {
  startI18n()
  await setLanguage('en')
})
afterEach(() => vi.unstubAllGlobals())

it('tells what was refused of an archive once it is read, and leads to the reasons', async () => {
  const uploads = [
    { id: 'parts.zip', state: 'done', num_rejected: 3, num_noted: 2 },
    { id: 'older.zip', state: 'done', num_rejected: 9, num_noted: 9 },
  ]
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ items: uploads, next_cursor: null })))
  const queue = new UploadQueue(new InMemoryTransport())
  const onExplain = vi.fn()
  render(
    <QueryClientProvider client={newQueryClient()}>
      <MantineProvider env="test">
        <QueuePanel queue={queue} dataset="dst_1" onExplain={onExplain} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  queue.add([{ path: 'parts.zip', file: new File([new Uint8Array(9)], 'parts.zip') }], 'auto')
  expect(await screen.findByText('3 refused · 2 with a note')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'See why' }))
  expect(onExplain).toHaveBeenCalledOnce()
})
