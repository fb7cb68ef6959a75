// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { ApiError } from '../api/errors'
import { CommentOutbox, type Unsent } from './outbox'

const failed = (status: number) => new ApiError(status, 'x', 'No', '', '')

/** A server that can be away; what it has taken is there once for each name. */
class InMemoryServer {
  stored = new Map<string, string>()
  error: Error | null = null
  /** The answer is lost although the comment arrived. */
  losesAnswers = false

  take = ({ operation, text }: Unsent): Promise<void> => {
    if (this.error) return Promise.reject(this.error)
    this.stored.set(operation, text)
    return this.losesAnswers ? Promise.reject(failed(0)) : Promise.resolve()
  }
}

let server: InMemoryServer
const open = (person = 'usr_1') => new CommentOutbox(person, server.take)
const texts = (outbox: CommentOutbox) => outbox.getState().unsent.map(({ text }) => text)
const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  localStorage.clear()
  vi.useRealTimers()
  server = new InMemoryServer()
})

describe('comments that wait to be sent', () => {
  it('are sent and then nowhere left', async () => {
    const outbox = open()
    outbox.add('itm_1', 'Is this a rose?')
    expect(texts(outbox)).toEqual(['Is this a rose?'])
    await settled()
    expect([...server.stored.values()]).toEqual(['Is this a rose?'])
    expect(texts(outbox)).toEqual([])
    expect(localStorage.length).toBe(0)
  })

  it('survive a crash before anything was sent, and are sent once by the next page', async () => {
    server.error = failed(0)
    const first = open()
    first.add('itm_1', 'one')
    first.add('itm_2', 'two')
    await settled()
    expect(server.stored.size).toBe(0)
    server.error = null
    const second = open()
    expect(texts(second)).toEqual(['one', 'two'])
    second.nudge()
    await settled()
    expect([...server.stored.values()]).toEqual(['one', 'two'])
    expect(texts(open())).toEqual([])
  })

  it('are sent again under the same name where the answer was lost', async () => {
    server.losesAnswers = true
    const outbox = open()
    outbox.add('itm_1', 'one')
    await settled()
    expect(texts(outbox)).toEqual(['one'])
    server.losesAnswers = false
    outbox.nudge()
    await settled()
    expect(server.stored.size).toBe(1)
    expect(texts(outbox)).toEqual([])
  })

  it.each([0, 401, 429, 500, 503])('wait while the server answers %i, and go by themselves later', async (status) => {
    vi.useFakeTimers()
    server.error = failed(status)
    const outbox = open()
    outbox.add('itm_1', 'one')
    await vi.advanceTimersByTimeAsync(1500)
    server.error = null
    expect(texts(outbox)).toEqual(['one'])
    await vi.advanceTimersByTimeAsync(1000)
    expect([...server.stored.values()]).toEqual(['one'])
  })

  it('are distinguished when the server will never take them, and let the others pass', async () => {
    const refusal = failed(404)
    const picky = new CommentOutbox('usr_1', (entry) => (entry.text === 'bad' ? Promise.reject(refusal) : server.take(entry)))
    picky.add('itm_1', 'bad')
    picky.add('itm_1', 'good')
    await settled()
    expect([...server.stored.values()]).toEqual(['good'])
    expect(picky.getState().unsent).toMatchObject([{ text: 'bad', refusal }])
    picky.discard(picky.getState().unsent[0]?.operation ?? '')
    expect(localStorage.length).toBe(0)
  })

  it('belong to the person who wrote them', async () => {
    server.error = failed(0)
    open('usr_1').add('itm_1', 'mine')
    await settled()
    expect(texts(open('usr_2'))).toEqual([])
    expect(texts(open('usr_1'))).toEqual(['mine'])
  })

  it('of another tab are seen, and what it has sent is gone here too', async () => {
    server.error = failed(0)
    const [one, other] = [open(), open()]
    one.add('itm_1', 'one')
    await settled()
    other.refresh()
    expect(texts(other)).toEqual(['one'])
    server.error = null
    other.nudge()
    await settled()
    one.refresh()
    expect(texts(one)).toEqual([])
  })

  it('show it where the browser keeps nothing, and are sent all the same', async () => {
    const full = {
      length: 0,
      key: () => null,
      getItem: () => null,
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    server.error = failed(0)
    const outbox = new CommentOutbox('usr_1', server.take, full)
    outbox.add('itm_1', 'one')
    expect(outbox.getState().isUnkept).toBe(true)
    outbox.refresh()
    expect(texts(outbox)).toEqual(['one'])
    await settled()
    server.error = null
    outbox.nudge()
    await settled()
    expect(outbox.getState()).toEqual({ unsent: [], isUnkept: false })
    expect(server.stored.size).toBe(1)
  })
})

describe('what is being typed', () => {
  it('is there again after a reload, for each field and person', () => {
    open().keepDraft('itm_1', 'half a sen')
    expect(open().draft('itm_1')).toBe('half a sen')
    expect(open().draft('itm_2')).toBe('')
    expect(open('usr_2').draft('itm_1')).toBe('')
    open().keepDraft('itm_1', '')
    expect(localStorage.length).toBe(0)
  })
})
