import { describe, expect, it } from 'vitest'

import { ApiError } from '../lib/api/errors'
import { isWorthRetrying, retryDelay } from './retrying'

const refused = (status: number, waitS?: number) =>
  new ApiError(status, 'code', '', '', '', {}, waitS === undefined ? {} : { retry_after_s: waitS })

describe('a read that failed', () => {
  it('waits as long as the server asks for', () => {
    expect(isWorthRetrying(4, refused(503, 2))).toBe(true)
    expect(retryDelay(4, refused(503, 2))).toBe(2000)
    expect(isWorthRetrying(0, refused(429, 41))).toBe(true)
    expect(retryDelay(0, refused(429, 41))).toBe(41_000)
  })

  it('is reported at once if one would wait for minutes, or where it is refused for good', () => {
    expect(isWorthRetrying(0, refused(429, 844))).toBe(false)
    expect(isWorthRetrying(0, refused(404))).toBe(false)
  })

  it('is tried again a little later where the server gives no time', () => {
    expect([0, 1, 2].map((count) => isWorthRetrying(count, refused(500)))).toEqual([true, true, false])
    expect([0, 1].map((count) => retryDelay(count, refused(0)))).toEqual([1000, 2000])
  })
})
