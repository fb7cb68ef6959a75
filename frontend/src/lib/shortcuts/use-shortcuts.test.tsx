import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, renderHook } from '@testing-library/react'
import { type ReactNode, useLayoutEffect } from 'react'
import { expect, it } from 'vitest'

import { ME } from '../session/session'
import { useShortcuts } from './use-shortcuts'

const press = (key: string, type = 'keydown', repeat = false) =>
  document.body.dispatchEvent(new KeyboardEvent(type, { key, code: `Key${key.toUpperCase()}`, bubbles: true, repeat }))

function wrapper({ children }: { children: ReactNode }) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(ME, { id: 'usr_1' })
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

it('acts on what is on the screen, also for a key that is pressed as soon as it is there', () => {
  const done: string[] = []
  const Page = ({ picture }: { picture: string }) => {
    useShortcuts('review', { approve: () => done.push(`pressed on ${picture}`) }, { approve: () => done.push(`released on ${picture}`) })
    // The picture is drawn here, and effects have not run yet.
    useLayoutEffect(() => {
      if (picture !== 'the first') press('a')
    }, [picture])
    return null
  }
  const { rerender, unmount } = render(<Page picture="the first" />, { wrapper })
  press('a')
  rerender(<Page picture="the second" />)
  press('a', 'keyup')
  expect(done).toEqual(['pressed on the first', 'pressed on the second', 'released on the second'])
  unmount()
  press('a')
  expect(done).toHaveLength(3)
})

it('fires once per press, however long the key is held; only walking goes on', () => {
  const done: string[] = []
  renderHook(() => useShortcuts('labelling', { label_1: () => done.push('label'), undo: () => done.push('undo') }), { wrapper })
  for (const repeat of [false, true, true]) ['1', 'u'].forEach((key) => press(key, 'keydown', repeat))
  expect(done).toEqual(['label', 'undo', 'undo', 'undo'])
})

it('goes on by Enter where the menu link to the page that is open has the focus, and leaves other links their Enter', () => {
  const done: string[] = []
  renderHook(() => useShortcuts('labelling', { next: () => done.push('next') }), { wrapper })
  const enter = (link: string) => {
    document.body.innerHTML = link
    document.querySelector('a')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }))
    document.body.replaceChildren()
  }
  enter('<a href="/labelling" aria-current="page">Labelling</a>')
  enter('<a href="/data">Data</a>')
  expect(done).toEqual(['next'])
})
