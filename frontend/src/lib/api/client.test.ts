// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'

import { api, data } from './client'
import { fieldErrors } from '../field-errors'
import { ApiError } from './errors'
import { send } from './raw'

const answer = (status: number, body: string, type = 'application/problem+json') =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status, headers: { 'Content-Type': type } })))
const me = () => data(api.GET('/api/auth/me'))

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.catch((reason: unknown) => reason)
  if (!(error instanceof ApiError)) throw new Error(`no ApiError: ${String(error)}`)
  return error
}

afterEach(() => {
  vi.unstubAllGlobals()
  document.cookie = 'csrftoken=; max-age=0'
})

describe('the client', () => {
  it('turns a problem document into an error with its code, hint and fields', async () => {
    answer(
      422,
      JSON.stringify({ code: 'invalid_input', title: 'Not valid', detail: 'Name is empty', hint: 'Give one', fields: { name: ['empty'] } }),
    )
    const error = await failure(me())
    expect(error).toMatchObject({ status: 422, code: 'invalid_input', title: 'Not valid', message: 'Name is empty', hint: 'Give one' })
    expect(fieldErrors(error)).toEqual({ name: 'empty' })
  })

  it('keeps what the server adds, such as the other version of an item', async () => {
    answer(409, JSON.stringify({ code: 'annotation_stale', extra: { current: { id: 'itm_1' } } }))
    expect((await failure(me())).extra).toEqual({ current: { id: 'itm_1' } })
  })

  it('makes an error of an answer that is no problem document, e.g. of a proxy', async () => {
    answer(502, '<html>Bad gateway</html>', 'text/html')
    expect(await failure(me())).toMatchObject({ status: 502, code: 'unexpected_answer' })
  })

  it('distinguishes a lost connection from a refusal, for typed and for raw requests', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failure(me())).toMatchObject({ status: 0, code: 'offline' })
    expect(await failure(send('/api/x', { method: 'PUT', body: new Blob() }))).toMatchObject({ status: 0, code: 'offline' })
  })

  it('passes an abort on as what it is', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('stop', 'AbortError')))
    await expect(send('/api/x', { method: 'PUT', body: new Blob() })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('sends the CSRF token with what changes something, and only then', async () => {
    document.cookie = 'csrftoken=secret'
    const tokens: (string | null)[] = []
    vi.stubGlobal('fetch', (request: Request) => {
      tokens.push(request.headers.get('X-CSRFToken'))
      return Promise.resolve(new Response('{}', { headers: { 'Content-Type': 'application/json' } }))
    })
    await api.GET('/api/auth/me')
    await api.PATCH('/api/auth/me', { body: { name: 'x' } })
    expect(tokens).toEqual([null, 'secret'])
  })

  it.each([
    ['typed', () => api.PATCH('/api/auth/me', { body: { name: 'x' } })],
    ['raw', () => send('/api/x', { method: 'PUT', body: new Blob(['x']) })],
  ])('sends a %s change once more when a sign-in made a new token meanwhile', async (_kind, change) => {
    document.cookie = 'csrftoken=old'
    const sent: [string | null, string][] = []
    vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
      const request = input instanceof Request ? input : new Request(new URL(input, 'http://localhost'), init)
      sent.push([request.headers.get('X-CSRFToken'), await request.text()])
      document.cookie = 'csrftoken=new'
      return new Response('{}', { status: sent.length === 1 ? 403 : 200, headers: { 'Content-Type': 'application/json' } })
    })
    await change()
    expect(sent.map(([token]) => token)).toEqual(['old', 'new'])
    expect(sent[1]?.[1]).toBe(sent[0]?.[1])
  })

  it('takes a refusal with the right token for a refusal', async () => {
    document.cookie = 'csrftoken=secret'
    const fetchMock = vi.fn(() => Promise.resolve(new Response(JSON.stringify({ code: 'permission_denied' }), { status: 403 })))
    vi.stubGlobal('fetch', fetchMock)
    await expect(failure(Promise.resolve(api.PATCH('/api/auth/me', { body: { name: 'x' } })))).resolves.toMatchObject({ status: 403 })
    expect(fetchMock).toHaveBeenCalledTimes(1)
  })
})

it('names no field where the error names none', () => {
  expect(fieldErrors(new Error('x'))).toEqual({})
})
