import { notifications, notificationsStore } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { useUploadQueue } from './use-upload-queue'

const REFUSAL = JSON.stringify({ code: 'quota_exceeded', title: 'The disk is full' })

const notificationTitles = () => notificationsStore.getState().notifications.map(({ title }) => title)

/** A data page whose server refuses every file, and answers no sooner than it is let. */
function open(dataset: string) {
  let answer: () => void = () => undefined
  const isLet = new Promise<void>((resolve) => (answer = resolve))
  vi.stubGlobal('fetch', () =>
    isLet.then(() => new Response(REFUSAL, { status: 403, headers: { 'Content-Type': 'application/problem+json' } })),
  )
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  const { result, unmount } = renderHook(() => useUploadQueue('prj_1', dataset), { wrapper })
  const { queue } = result.current
  act(() => queue.add([{ path: 'one.jpg', file: new File([new Uint8Array(9)], 'one.jpg') }], 'none'))
  return { leave: unmount, answer, failed: () => queue.snapshot().transfers.filter(({ state }) => state === 'failed').length }
}

afterEach(() => {
  vi.unstubAllGlobals()
  notifications.clean()
})

it('reports files that are refused when the page that shows them has been left', async () => {
  const { leave, answer } = open('dst_left')
  leave()
  answer()
  await waitFor(() => expect(notificationTitles()).toEqual(['The disk is full']))
})

it('leaves it to the page while that is open', async () => {
  const { answer, failed } = open('dst_open')
  answer()
  await waitFor(() => expect(failed()).toBe(1))
  await act(async () => undefined)
  expect(notificationTitles()).toEqual([])
})
