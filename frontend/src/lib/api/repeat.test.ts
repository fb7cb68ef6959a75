import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { repeated } from './repeat'

const answer = (status: number, code: string, wait?: string) =>
  new Response(JSON.stringify({ code }), { status, headers: wait === undefined ? {} : { 'Retry-After': wait } })

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('what the server put off', () => {
  it.each([
    [429, 'rate_limited'],
    [503, 'database_busy'],
  ])('is sent again after the time it asked for: %i %s', async (status, code) => {
    const send = vi
      .fn()
      .mockResolvedValueOnce(answer(status, code, '2'))
      .mockResolvedValue(answer(200, ''))
    const done = repeated(send)
    await vi.advanceTimersByTimeAsync(1_900)
    expect(send).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(200)
    expect((await done).status).toBe(200)
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('is reported if it persists', async () => {
    const send = vi.fn(() => Promise.resolve(answer(503, 'database_busy', '2')))
    const done = repeated(send)
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await done).status).toBe(503)
    expect(send).toHaveBeenCalledTimes(4)
  })

  it.each([
    ['may have been done', answer(503, 'database_unavailable', '2')],
    ['is to wait for minutes', answer(429, 'too_many_attempts', '844')],
    ['says no time', answer(429, 'rate_limited')],
    ['failed', answer(500, 'internal_error')],
  ])('is not sent again when it %s', async (_why, refused) => {
    const send = vi.fn().mockResolvedValue(refused)
    expect((await repeated(send)).status).toBe(refused.status)
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('is forgotten when the person breaks it off', async () => {
    const send = vi.fn().mockResolvedValue(answer(429, 'rate_limited', '2'))
    const control = new AbortController()
    const failed = expect(repeated(send, control.signal)).rejects.toMatchObject({ name: 'AbortError' })
    await vi.advanceTimersByTimeAsync(500)
    control.abort()
    await failed
    await vi.advanceTimersByTimeAsync(5_000)
    expect(send).toHaveBeenCalledTimes(1)
  })
})
