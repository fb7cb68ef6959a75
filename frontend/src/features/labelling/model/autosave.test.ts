import { beforeEach, describe, expect, it } from 'vitest'

import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import { Autosave } from './autosave'
import { type Entry, type Journal, openJournal } from './journal'
import { labelsOf, ofLabels } from './said'
import { testItem } from './test-items'

const cat = ofLabels(['cat'])
const dog = ofLabels(['dog'])
const offline = () => new ApiError(0, 'offline', '', '', '')

/** The server's side of saving: revisions, idempotent operations, refusals. */
class InMemoryServer {
  items = new Map<string, Item>()
  operations = new Set<string>()
  sent: Entry[] = []
  before: (entry: Entry) => void | Promise<void> = () => undefined

  send = async (entry: Entry) => {
    this.sent.push(entry)
    await this.before(entry)
    const now = this.items.get(entry.item) ?? testItem(entry.item)
    if (this.operations.has(entry.operation)) return { item: now, revision: now.revision }
    if (entry.revision !== now.revision) throw new ApiError(409, 'annotation_stale', '', '', '', {}, { current: now })
    const item = testItem(entry.item, entry.said, now.revision + 1)
    this.items.set(entry.item, item)
    this.operations.add(entry.operation)
    return { item, revision: item.revision }
  }

  labels = (item: string) => labelsOf(this.items.get(item)?.annotations ?? null)
}

let visit = 0
let server: InMemoryServer
let journal: Journal
let refused: unknown[]

beforeEach(() => {
  server = new InMemoryServer()
  journal = openJournal(`usr_${visit++}`)
  refused = []
})

function open(): Autosave {
  return new Autosave({
    project: 'prj_1',
    journal,
    send: server.send,
    onRefused: (_entry, error) => refused.push(error),
    sleep: () => new Promise((resolve) => setTimeout(resolve, 2)),
  })
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error('never came true')
}
const saved = (autosave: Autosave) => until(() => autosave.state().num_waiting === 0 && autosave.state().conflict === null)

describe('Autosave', () => {
  it('is not saved before the server has said so, and the journal is empty after', async () => {
    const autosave = open()
    let answer: () => void = () => undefined
    server.before = () => new Promise<void>((resolve) => (answer = resolve))
    autosave.say('a', cat, 0)
    expect(autosave.state()).toMatchObject({ kind: 'sending', num_waiting: 1 })
    await until(async () => (await journal.all('prj_1')).length === 1)
    answer()
    await saved(autosave)
    expect(server.labels('a')).toEqual(['cat'])
    expect(await journal.all('prj_1')).toEqual([])
  })

  it('stands later words on the revision that the earlier ones made', async () => {
    const autosave = open()
    autosave.say('a', cat, 0)
    autosave.say('a', dog, 0)
    await saved(autosave)
    autosave.say('a', cat, 0)
    await saved(autosave)
    expect(server.items.get('a')).toMatchObject({ revision: 3 })
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('sends only the last of the words said while another is on its way', async () => {
    const autosave = open()
    autosave.say('a', cat, 0)
    for (const label of ['b', 'c', 'd', 'e']) autosave.say('a', ofLabels([label]), 0)
    await saved(autosave)
    expect(server.sent.map((entry) => labelsOf(entry.said))).toEqual([['cat'], ['e']])
    expect(await journal.all('prj_1')).toEqual([])
  })

  it('says offline with the number that waits, and sends all in order when the network is back', async () => {
    const autosave = open()
    server.before = () => {
      throw offline()
    }
    for (const item of ['a', 'b', 'c']) autosave.say(item, cat, 0)
    await until(() => autosave.state().kind === 'offline')
    expect(autosave.state().num_waiting).toBe(3)
    expect(await journal.all('prj_1')).toHaveLength(3)
    server.before = () => undefined
    autosave.nudge()
    await saved(autosave)
    expect([...server.items.keys()]).toEqual(['a', 'b', 'c'])
  })

  it('takes up after a crash what the visit before could not send', async () => {
    const before = open()
    server.before = () => {
      throw offline()
    }
    before.say('a', cat, 0)
    await until(() => before.state().kind === 'offline')
    before.close()
    server.before = () => undefined
    const after = open()
    expect(after.state().kind).toBe('opening')
    const waiting = await after.restore()
    expect(labelsOf(waiting.get('a') ?? null)).toEqual(['cat'])
    await saved(after)
    expect(after.state().kind).toBe('saved')
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('does nothing twice when only the answer was lost', async () => {
    const autosave = open()
    let isLost = true
    const reached = server.send
    const losing = new Autosave({
      project: 'prj_1',
      journal,
      send: async (entry) => {
        const answer = await reached(entry)
        if (isLost) {
          isLost = false
          throw offline()
        }
        return answer
      },
      sleep: () => Promise.resolve(),
    })
    losing.say('a', cat, 0)
    await saved(losing)
    expect(server.items.get('a')?.revision).toBe(1)
    expect(autosave.state().num_waiting).toBe(0)
  })

  it('shows both versions when somebody was faster, and keeps mine on top of theirs if I say so', async () => {
    server.items.set('a', testItem('a', dog, 4))
    const autosave = open()
    autosave.say('a', cat, 3)
    await until(() => autosave.state().kind === 'conflict')
    const { conflict } = autosave.state()
    expect([labelsOf(conflict?.mine ?? null), conflict?.theirs.revision]).toEqual([['cat'], 4])
    expect(server.labels('a')).toEqual(['dog'])
    autosave.resolve('a', 'mine')
    await saved(autosave)
    expect(server.items.get('a')).toMatchObject({ revision: 5, annotations: cat })
  })

  it('keeps theirs if I say so, and later words stand on it', async () => {
    server.items.set('a', testItem('a', dog, 4))
    const autosave = open()
    autosave.say('a', cat, 3)
    await until(() => autosave.state().kind === 'conflict')
    autosave.resolve('a', 'theirs')
    await saved(autosave)
    expect(server.labels('a')).toEqual(['dog'])
    autosave.say('a', cat, 3)
    await saved(autosave)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('goes on with other items past one that was refused, and tells of it', async () => {
    const autosave = open()
    server.before = (entry) => {
      if (entry.item === 'gone') throw new ApiError(404, 'not_found', '', '', '')
    }
    autosave.say('gone', cat, 0)
    autosave.say('b', cat, 0)
    await saved(autosave)
    expect(refused).toMatchObject([{ code: 'not_found' }])
    expect(server.labels('b')).toEqual(['cat'])
    expect(await journal.all('prj_1')).toEqual([])
  })

  it('leaves the work of other projects and other people alone', async () => {
    await journal.put({ operation: 'x', project: 'prj_2', item: 'z', said: cat, revision: 0, at: 0 })
    await open().restore()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(server.sent).toEqual([])
    expect(await openJournal('somebody else').all('prj_2')).toEqual([])
  })
})
