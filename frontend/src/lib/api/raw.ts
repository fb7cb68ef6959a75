import { withToken } from './cookies'
import { apiErrorOf } from './errors'
import { repeated } from './repeat'

export interface RawRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: Blob | FormData
  signal?: AbortSignal
}

/** A request whose body is bytes or a form, which the typed client does not send. */
export async function send<T>(path: string, request: RawRequest): Promise<T> {
  let response: Response
  try {
    response = await repeated(() => withToken((token) => fetch(path, { ...request, headers: { 'X-CSRFToken': token } })), request.signal)
  } catch (error) {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : apiErrorOf(0, null)
  }
  if (!response.ok) throw apiErrorOf(response.status, await response.json().catch(() => null))
  return (response.status === 204 ? undefined : await response.json()) as T
}
