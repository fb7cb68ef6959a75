import { notifications, notificationsStore } from '@mantine/notifications'
import { QueryClientProvider, useMutation } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { ApiError } from '../lib/api/errors'
import { afterMutation } from '../lib/after-mutation'
import { newQueryClient } from './queries'

/** Changes that wait until the test answers them. */
function server() {
  const waiting = new Map<string, { take: (value: string) => void; refuse: (error: Error) => void }>()
  const waitingFor = async (name: string) => {
    await waitFor(() => expect(waiting.keys()).toContain(name))
    return waiting.get(name)
  }
  return {
    send: (name: string) => new Promise<string>((take, refuse) => waiting.set(name, { take, refuse })),
    take: async (name: string) => {
      const change = await waitingFor(name)
      await act(async () => change?.take(name))
    },
    refuse: async (name: string, error: Error = new ApiError(409, 'taken', `${name} was refused`, '', '')) => {
      const change = await waitingFor(name)
      await act(async () => change?.refuse(error))
    },
  }
}

function page(isErrorShown?: boolean) {
  const client = newQueryClient()
  const { send, take, refuse } = server()
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  const { result, unmount } = renderHook(() => useMutation({ mutationFn: send, meta: { isErrorShown } }), { wrapper })
  return { change: () => result.current, leave: unmount, take, refuse }
}

const notificationTitles = () => {
  const { notifications: shown, queue } = notificationsStore.getState()
  return [...shown, ...queue].map(({ title }) => title)
}

afterEach(() => notifications.clean())

describe('a change that fails', () => {
  it('is reported, and so is another that was made quickly after it', async () => {
    const { change, refuse } = page()
    act(() => change().mutate('one'))
    act(() => change().mutate('two'))
    await refuse('two')
    await refuse('one')
    expect(notificationTitles()).toEqual(['two was refused', 'one was refused'])
  })

  it('is reported though the page was left', async () => {
    const { change, leave, refuse } = page()
    act(() => change().mutate('one'))
    leave()
    await refuse('one')
    expect(notificationTitles()).toEqual(['one was refused'])
  })

  it('is reported though it was only begun when the page had been left, e.g. by an undo', async () => {
    const { change, leave, refuse } = page(true)
    leave()
    change().mutate('one')
    await refuse('one')
    expect(notificationTitles()).toEqual(['one was refused'])
  })

  it('is not reported twice where the page shows it', async () => {
    const { change, refuse } = page(true)
    act(() => change().mutate('one'))
    await refuse('one')
    await waitFor(() => expect(change().error?.message).toBe('one was refused'))
    expect(notificationTitles()).toEqual([])
  })

  it('is reported where the page that would show it was left', async () => {
    const { change, leave, refuse } = page(true)
    act(() => change().mutate('one'))
    leave()
    await refuse('one')
    expect(notificationTitles()).toEqual(['one was refused'])
  })

  it('is reported where the dialog that would show it was closed', async () => {
    const { change, refuse } = page(true)
    act(() => change().mutate('one'))
    act(() => change().reset())
    await refuse('one')
    expect(notificationTitles()).toEqual(['one was refused'])
  })

  it('is reported where the page shows the fate of a later one', async () => {
    const { change, refuse } = page(true)
    act(() => change().mutate('one'))
    act(() => change().mutate('two'))
    await refuse('one')
    await refuse('two')
    await waitFor(() => expect(change().error?.message).toBe('two was refused'))
    expect(notificationTitles()).toEqual(['one was refused'])
  })

  it('is not reported if the person cancelled it', async () => {
    const { change, leave, refuse } = page()
    act(() => change().mutate('one'))
    leave()
    await refuse('one', new DOMException('stop', 'AbortError'))
    expect(notificationTitles()).toEqual([])
  })

  it('fails at once where the browser takes itself for offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    window.dispatchEvent(new Event('offline'))
    onTestFinished(() => void window.dispatchEvent(new Event('online')))
    const { change, refuse } = page()
    act(() => change().mutate('one'))
    await refuse('one')
    expect(notificationTitles()).toEqual(['one was refused'])
  })
})

describe('what follows a change', () => {
  it('comes for each of two that were made quickly, though the page was left', async () => {
    const { change, leave, take, refuse } = page()
    const done: string[] = []
    const putBack: string[] = []
    const ask = (name: string) =>
      afterMutation(
        change().mutateAsync(name),
        (answer) => done.push(answer),
        () => putBack.push(name),
      )
    act(() => ['one', 'two', 'three'].forEach(ask))
    await take('two')
    leave()
    await refuse('one')
    await take('three')
    expect([done, putBack, notificationTitles()]).toEqual([['two', 'three'], ['one'], ['one was refused']])
  })

  it('lets a refusal that nobody waits for pass as reported', async () => {
    const { change, refuse } = page()
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    act(() => afterMutation(change().mutateAsync('one'), () => undefined))
    await refuse('one')
    await new Promise((resolve) => setImmediate(resolve))
    expect([unhandled, notificationTitles()]).toEqual([[], ['one was refused']])
  })
})
