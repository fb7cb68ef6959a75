/**
 * The one way to the server: a client typed by the OpenAPI document. Every refusal becomes an ApiError, a lost connection too
 * (code `offline`), so that callers have one kind of failure.
 */
import createClient, { type Middleware } from 'openapi-fetch'

import { cookie } from './cookies'
import { apiErrorOf } from './errors'
import type { paths } from './schema'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const guard: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method)) request.headers.set('X-CSRFToken', cookie('csrftoken'))
    return request
  },
  async onResponse({ response }) {
    if (!response.ok) throw apiErrorOf(response.status, await response.json().catch(() => null))
  },
  onError({ error }) {
    return error instanceof DOMException ? error : apiErrorOf(0, null)
  },
}

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: (request) => fetch(request) })
api.use(guard)

/** The body of an answer that cannot be a refusal any more. */
export async function data<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T
}
