/**
 * The one way to the server: a client typed by the OpenAPI document. Every refusal becomes an ApiError, a lost connection too
 * (code `offline`), so that callers have one kind of failure.
 */
import createClient, { type Middleware } from 'openapi-fetch'

import { withToken } from './cookies'
import { apiErrorOf } from './errors'
import { repeated } from './repeat'
import type { paths } from './schema'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const guard: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw apiErrorOf(response.status, await response.json().catch(() => null))
  },
  onError({ error }) {
    return error instanceof DOMException ? error : apiErrorOf(0, null)
  },
}

function sent(request: Request): Promise<Response> {
  if (SAFE.has(request.method)) return fetch(request)
  return repeated(
    () =>
      withToken((token) => {
        const copy = request.clone()
        copy.headers.set('X-CSRFToken', token)
        return fetch(copy)
      }),
    request.signal,
  )
}

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: sent })
api.use(guard)

/** The body of an answer that cannot be a refusal any more. */
export async function data<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T
}
