import { beforeEach, describe, expect, it } from 'vitest'

import { ApiError } from '../../../lib/api/errors'
import { InMemoryTransport } from './in-memory-transport'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { UploadQueue } from './upload-queue'

const file = (path: string, size = 10): IncomingFile => ({ path, file: new File([new Uint8Array(size)], path) })
const offline = () => new ApiError(0, 'offline', '', '', '')

let transport: InMemoryTransport
let queue: UploadQueue
let settled: number
const slept: number[] = []

beforeEach(() => {
  transport = new InMemoryTransport()
  settled = 0
  slept.length = 0
  const clock = {
    now: () => performance.now(),
    sleep: (ms: number) => {
      slept.push(ms)
      return Promise.resolve()
    },
  }
  queue = new UploadQueue(transport, () => (settled += 1), clock)
})

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error(`never came true: ${JSON.stringify(queue.snapshot())}`)
}
const atRest = () => until(() => !queue.snapshot().is_active && transport.inFlight === 0)

describe('UploadQueue', () => {
  it('sends small files in one request and counts what became of them', async () => {
    queue.add([file('a.jpg'), file('twin.jpg'), file('broken.jpg')], 'none')
    await atRest()
    expect(transport.batched).toEqual([['a.jpg', 'twin.jpg', 'broken.jpg']])
    expect(queue.snapshot().transfers).toMatchObject([
      { state: 'done', num_files: 3, num_duplicates: 1, num_unreadable: 1, sent_bytes: 30, items: ['itm_a.jpg'], finished: 'a.jpg + 2' },
    ])
    expect(settled).toBe(1)
  })

  it('sends an archive in parts and closes it', async () => {
    queue.add([file('a.zip', 10)], 'folder')
    await atRest()
    expect(transport.parts.sort()).toEqual(['a.zip@0', 'a.zip@4', 'a.zip@8'])
    expect(transport.finished).toEqual(['a.zip'])
  })

  it('sends parts of one file side by side', async () => {
    queue.add([file('a.zip', 40)], 'none')
    await atRest()
    expect(transport.mostInFlight).toBe(4)
    expect(new Set(transport.parts).size).toBe(10)
    expect(transport.received.get('a.zip')).toBe(40)
  })

  it('makes one transfer of many small files and never has more than a few requests under way', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ ...file(`cat/${index}.jpg`), root: 'pets' }))
    queue.add(many, 'folder')
    await atRest()
    expect(transport.opened).toEqual(['pets'])
    expect(transport.batched.flat().sort()).toEqual(many.map(({ path }) => path).sort())
    expect(transport.mostInFlight).toBeLessThanOrEqual(5)
    expect(queue.snapshot().transfers).toMatchObject([{ name: 'pets', state: 'done', num_files: 1000, num_files_done: 1000, num_known: 0 }])
    expect(transport.finished).toEqual(['pets'])
  })

  it('sends only what is missing when the same folder is dropped after a crash', async () => {
    const many = Array.from({ length: 600 }, (_, index) => file(`cat/${index}.jpg`))
    transport.before = (request) => {
      if (request === 'batch' && transport.batched.length >= 4) throw new ApiError(403, 'permission_denied', '', '', '')
    }
    queue.add(many, 'folder')
    await atRest()
    expect(queue.snapshot().transfers).toMatchObject([{ state: 'failed', error: { code: 'permission_denied' } }])
    const there = transport.items.size
    expect(there).toBeGreaterThanOrEqual(4 * 64)
    transport.before = () => undefined
    const after = new UploadQueue(transport)
    after.add(many, 'folder')
    await until(() => after.snapshot().transfers[0]?.state === 'done')
    expect(after.snapshot().transfers[0]).toMatchObject({ num_files_done: 600, num_known: there })
    expect(transport.batched.flat()).toHaveLength(600)
    expect(transport.opened).toHaveLength(1)
  })

  it('waits out a lost connection in the middle of many files without losing or repeating one', async () => {
    let count = 0
    transport.before = (request) => {
      if (request === 'batch' && ++count % 3 === 0) throw offline()
    }
    queue.add(
      Array.from({ length: 500 }, (_, index) => file(`${index}.jpg`)),
      'none',
    )
    await atRest()
    expect(transport.batched.flat().sort()).toHaveLength(500)
    expect(transport.items.size).toBe(500)
    expect(queue.snapshot().transfers).toMatchObject([{ state: 'done', num_files_done: 500 }])
  })

  it('sends several files at once, but not all', async () => {
    queue.add(
      Array.from({ length: 9 }, (_, index) => file(`${index}.zip`)),
      'none',
    )
    await atRest()
    expect(transport.mostInFlight).toBeLessThanOrEqual(5)
    expect(transport.finished).toHaveLength(9)
  })

  it('goes on where the connection broke', async () => {
    let count = 0
    transport.before = (request) => {
      if (request === 'part' && ++count === 2) throw offline()
    }
    queue.add([file('a.zip', 10)], 'none')
    await atRest()
    expect(transport.received.get('a.zip')).toBe(10)
    expect(transport.finished).toEqual(['a.zip'])
    expect(slept).toEqual([500])
  })

  it('asks again where it stands when parts crossed', async () => {
    transport.received.set('a.zip', 4)
    queue.add([file('a.zip', 10)], 'none')
    await atRest()
    expect(transport.parts.sort()).toEqual(['a.zip@4', 'a.zip@8'])
  })

  it('waits longer after each failure and gives up in the end, with the reason', async () => {
    transport.before = () => {
      throw offline()
    }
    queue.add([file('a.zip')], 'none')
    await atRest()
    expect(slept).toEqual([500, 1000, 2000, 4000, 8000])
    expect(queue.snapshot().transfers[0]).toMatchObject({ state: 'failed', error: { code: 'offline' } })
  })

  it('does not repeat what the server has no room for', async () => {
    transport.before = (request) => {
      if (request === 'part') throw new ApiError(507, 'storage_full', '', '', '')
    }
    queue.add([file('a.zip', 10)], 'none')
    await atRest()
    expect(slept).toEqual([])
    expect(queue.snapshot().transfers[0]).toMatchObject({ state: 'failed', error: { code: 'storage_full' } })
  })

  it('does not repeat what was refused, until a person asks for it', async () => {
    transport.before = (request) => {
      if (request === 'start') throw new ApiError(422, 'input_invalid', '', '', '')
    }
    queue.add([file('a.zip')], 'none')
    await atRest()
    expect(slept).toEqual([])
    const [failed] = queue.snapshot().transfers
    expect(failed?.state).toBe('failed')
    transport.before = () => undefined
    queue.retry(failed?.id ?? 0)
    await atRest()
    expect(transport.finished).toEqual(['a.zip'])
  })

  it('pauses in the middle of a file and goes on from there', async () => {
    queue.add([file('a.zip', 40), file('b.zip', 40), file('c.zip', 40), file('d.zip', 40)], 'none')
    await until(() => transport.parts.length >= 4)
    queue.pause()
    await until(() => transport.inFlight === 0)
    const sent = transport.parts.length
    expect(queue.snapshot()).toMatchObject({ is_active: false, is_paused: true })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(transport.parts).toHaveLength(sent)
    queue.resume()
    await atRest()
    expect(transport.finished.sort()).toEqual(['a.zip', 'b.zip', 'c.zip', 'd.zip'])
    expect([...transport.received.values()]).toEqual([40, 40, 40, 40])
  })

  it('starts paused again what was paused and resumed within one breath', async () => {
    queue.add([file('a.zip', 40)], 'none')
    await until(() => transport.parts.length >= 1)
    queue.pause()
    queue.resume()
    await atRest()
    expect(transport.finished).toEqual(['a.zip'])
  })

  it('forgets on the server what is cancelled half way', async () => {
    queue.add([file('a.zip', 400)], 'none')
    await until(() => transport.parts.length >= 2)
    queue.cancel()
    await atRest()
    expect(transport.dropped).toEqual(['a.zip'])
    expect(transport.finished).toEqual([])
    expect(queue.snapshot().size_bytes).toBe(0)
    queue.clear()
    expect(queue.snapshot().transfers).toEqual([])
  })

  it('notifies listeners of the newest value, a few times a second and not at every step', async () => {
    const seen: unknown[] = []
    queue.subscribe(() => seen.push(queue.snapshot()))
    queue.add(
      Array.from({ length: 20 }, (_, index) => file(`${index}.zip`, 40)),
      'none',
    )
    await atRest()
    await until(() => seen.at(-1) === queue.snapshot())
    expect(queue.snapshot()).toBe(queue.snapshot())
    expect(seen.length).toBeLessThan(20)
  })
})
