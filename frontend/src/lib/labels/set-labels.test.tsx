import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { Label } from '../api/types'
import { withNewLabels } from './label-colors'
import { useSetLabels } from './set-labels'

let labels: Label[]
let refuses: string | null
let num_writes: number

/** The server's endpoint of a project: returns the label set and replaces it. */
async function answer(request: Request): Promise<Response> {
  if (request.method === 'PUT') {
    const body = (await request.json()) as { labels: Label[] }
    num_writes += 1
    if (body.labels.some(({ name }) => name === refuses)) return Response.json({ code: 'label_invalid', title: 'No' }, { status: 422 })
    labels = body.labels
  }
  return Response.json({ id: 'prj_1', label_set: { labels } })
}

function open() {
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  const { result } = renderHook(() => useSetLabels('prj_1'), { wrapper })
  const add = (...names: string[]) => result.current.mutateAsync((before) => withNewLabels(before, names))
  return { result, add }
}
const names = () => labels.map(({ name }) => name)

beforeEach(() => {
  labels = [{ name: 'cat', color: '#000000' }]
  refuses = null
  num_writes = 0
  vi.stubGlobal('fetch', answer)
})
afterEach(() => vi.unstubAllGlobals())

it('lets two changes that are made quickly both hold', async () => {
  const { add } = open()
  await act(() => Promise.all([add('dog'), add('cow')]))
  expect(names()).toEqual(['cat', 'dog', 'cow'])
})

it('goes on with the next where one is refused', async () => {
  refuses = 'dog'
  const { add, result } = open()
  const outcomes = await act(() => Promise.allSettled([add('dog'), add('cow')]))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(names()).toEqual(['cat', 'cow'])
  await waitFor(() => expect(result.current.isPending).toBe(false))
})

it('writes nothing where nothing changes', async () => {
  const { add } = open()
  await act(() => add('cat'))
  expect(num_writes).toBe(0)
})
