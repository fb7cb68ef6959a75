/** When a read that failed is tried again. */
import { ApiError } from '../lib/api/errors'

const PUT_OFF_MAX_S = 60

/** How long the server asks to wait, in seconds; null if absent, or too long to wait. */
function putOffS(error: unknown): number | null {
  const waitS = error instanceof ApiError && (error.status === 429 || error.status === 503) ? error.extra.retry_after_s : null
  return typeof waitS === 'number' && waitS <= PUT_OFF_MAX_S ? waitS : null
}

/** What the server refused stays refused; what it put off, a lost connection and its own faults are tried again. */
export function isWorthRetrying(count: number, error: unknown): boolean {
  if (putOffS(error) !== null) return count < 5
  return count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500)
}

/** Milliseconds to the next try: what the server asks for, or one second and then twice as long each time. */
export function retryDelay(count: number, error: unknown): number {
  return (putOffS(error) ?? Math.min(2 ** count, 30)) * 1000
}
