// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'

import { labelsOf, ofLabels, type ItemAnnotations } from '../../../answers/annotations'
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import { Autosave } from './autosave'
import { type Journal, openJournal } from './journal'
import { InMemoryTabs } from './tabs'
import { InMemoryServer, offline } from './test-server'

const cat = ofLabels(['cat'])
const dog = ofLabels(['dog'])

let visit = 0
let server: InMemoryServer
let journal: Journal
let tabs: InMemoryTabs
let refused: unknown[]
let received: Item[]

beforeEach(() => {
  server = new InMemoryServer()
  journal = openJournal(`usr_${visit++}`)
  tabs = new InMemoryTabs()
  refused = []
  received = []
})

/** A tab. */
function make(over: Partial<ConstructorParameters<typeof Autosave>[0]> = {}): Autosave {
  const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 2))
  const made = new Autosave({ journal, tabs: tabs.tab(), send: server.send, sleep, ...over })
  const own = received
  made.onEvents({ saved: (item) => own.push(item), refused: (_operation, error) => refused.push(error) })
  return made
}

async function open(over: Parameters<typeof make>[0] = {}): Promise<Autosave> {
  const made = make(over)
  await made.open()
  return made
}

const save = (autosave: Autosave, item: string, before: ItemAnnotations, after: ItemAnnotations) =>
  autosave.save('prj_1', item, before, after)

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 800; turn++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error('never came true')
}
const saved = (autosave: Autosave) => until(() => autosave.state().kind === 'saved')

describe('Autosave', () => {
  it('keeps first and is not saved before the server has confirmed', async () => {
    const autosave = await open()
    const answers: (() => void)[] = []
    let num_kept = 0
    server.before = async () => {
      num_kept = (await journal.waiting()).length
      await new Promise<void>((resolve) => answers.push(resolve))
    }
    save(autosave, 'a', null, cat)
    expect(autosave.state()).toMatchObject({ kind: 'sending', num_waiting: 1 })
    expect(autosave.pending('a').map((one) => one.after)).toEqual([cat])
    await until(() => answers.length === 1)
    expect(num_kept).toBe(1)
    answers[0]?.()
    await saved(autosave)
    expect(server.labels('a')).toEqual(['cat'])
    await until(async () => (await journal.waiting()).length === 0)
  })

  it('sends every change in order, those that wait together at once', async () => {
    const autosave = await open()
    let answer: () => void = () => undefined
    server.before = () => new Promise<void>((resolve) => (answer = resolve))
    save(autosave, 'a', null, cat)
    await until(() => server.sent.length === 1)
    server.before = () => undefined
    for (const [before, after] of [
      [cat, dog],
      [dog, []],
      [[], cat],
    ] as [ItemAnnotations, ItemAnnotations][])
      save(autosave, 'a', before, after)
    answer()
    await saved(autosave)
    expect(server.sent.map((batch) => batch.length)).toEqual([1, 3])
    expect(server.made.map((one) => labelsOf(one.after))).toEqual([['cat'], ['dog'], [], ['cat']])
    expect(server.item('a').revision).toBe(4)
  })

  it('shows offline with the number that waits, and sends all in order when the network is back', async () => {
    const autosave = await open()
    server.before = () => {
      throw offline()
    }
    for (const item of ['a', 'b', 'c']) save(autosave, item, null, cat)
    await until(() => autosave.state().kind === 'offline')
    expect(autosave.state().num_waiting).toBe(3)
    expect(await journal.waiting()).toHaveLength(3)
    server.before = () => undefined
    autosave.nudge()
    await saved(autosave)
    expect([...server.items.keys()]).toEqual(['a', 'b', 'c'])
  })

  it.each([
    [401, 'not_signed_in'],
    [401, 'another_person'],
    [403, 'csrf_failed'],
  ])('shows signed out at %i %s, keeps what waits, and sends it when the person is back', async (status, code) => {
    const autosave = await open()
    server.before = () => {
      throw new ApiError(status, code, '', '', '')
    }
    save(autosave, 'a', null, cat)
    await until(() => autosave.state().kind === 'signed_out')
    expect(await journal.waiting()).toHaveLength(1)
    server.before = () => undefined
    autosave.nudge()
    await saved(autosave)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('takes up after a crash what the visit before could not send', async () => {
    const before = await open()
    server.before = () => {
      throw offline()
    }
    save(before, 'a', null, cat)
    await until(() => before.state().kind === 'offline')
    before.close()
    server.before = () => undefined
    const after = make()
    expect(after.state().kind).toBe('opening')
    const opened = after.open()
    await opened
    await saved(after)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('shows what an earlier visit left as pending', async () => {
    const before = await open()
    server.before = () => {
      throw offline()
    }
    save(before, 'a', null, cat)
    await until(() => before.state().kind === 'offline')
    before.close()
    const after = await open()
    expect(after.pending('a').map((one) => one.after)).toEqual([cat])
    expect(after.pendingItems()).toEqual(['a'])
  })

  it('does nothing twice when only the answer was lost', async () => {
    const autosave = await open()
    let isLost = true
    server.after = () => {
      if (!isLost) return
      isLost = false
      throw offline()
    }
    save(autosave, 'a', null, cat)
    await saved(autosave)
    expect(server.sent).toHaveLength(2)
    expect(server.item('a').revision).toBe(1)
  })

  it('shows both when somebody chose otherwise, and lays mine on top if I choose so', async () => {
    server.put('a', dog)
    const autosave = await open()
    save(autosave, 'a', null, cat)
    await until(() => autosave.state().kind === 'conflict')
    const { conflict } = autosave.state()
    expect([labelsOf(conflict?.mine ?? null), conflict?.theirs.revision]).toEqual([['cat'], 1])
    expect(server.labels('a')).toEqual(['dog'])
    expect(await journal.waiting()).toHaveLength(1)
    await autosave.resolve('a', 'mine')
    await saved(autosave)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('keeps theirs if I choose so and sends the server what I meant, for the history', async () => {
    server.put('a', dog)
    const autosave = await open()
    save(autosave, 'a', null, cat)
    await until(() => autosave.state().kind === 'conflict')
    await autosave.resolve('a', 'theirs')
    await saved(autosave)
    expect(server.labels('a')).toEqual(['dog'])
    expect(server.made).toMatchObject([{ choice: 'theirs', after: cat, seen: 1 }])
    save(autosave, 'a', dog, cat)
    await saved(autosave)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('asks again when what I decided about has changed, and after a crash in the middle', async () => {
    server.put('a', dog)
    const autosave = await open()
    save(autosave, 'a', null, cat)
    await until(() => autosave.state().kind === 'conflict')
    server.put('a', ofLabels(['cow']))
    await autosave.resolve('a', 'mine')
    await until(() => autosave.state().conflict?.theirs.revision === 2)
    expect(server.labels('a')).toEqual(['cow'])
    autosave.close()
    const after = await open()
    await until(() => after.state().kind === 'conflict')
    await after.resolve('a', 'mine')
    await saved(after)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('lets other items pass one that waits for a decision, and holds back what I add to it', async () => {
    server.put('a', dog)
    const autosave = await open()
    save(autosave, 'a', null, cat)
    await until(() => autosave.state().kind === 'conflict')
    save(autosave, 'b', null, cat)
    save(autosave, 'a', cat, ofLabels(['cow']))
    await until(() => server.labels('b').length === 1)
    expect(server.labels('a')).toEqual(['dog'])
    expect(labelsOf(autosave.state().conflict?.mine ?? null)).toEqual(['cow'])
    await autosave.resolve('a', 'mine')
    await saved(autosave)
    expect(server.labels('a')).toEqual(['cow'])
  })

  it('goes on past what is refused for good, and reports it', async () => {
    const autosave = await open()
    server.before = (operations) => {
      if (operations.some((one) => one.item === 'gone')) throw new ApiError(403, 'permission_denied', '', '', '')
    }
    for (const item of ['a', 'gone', 'b']) save(autosave, item, null, cat)
    await saved(autosave)
    expect(refused).toMatchObject([{ code: 'permission_denied' }])
    expect([server.labels('a'), server.labels('b')]).toEqual([['cat'], ['cat']])
    await until(async () => (await journal.waiting()).length === 0)
  })

  it('reports a refusal in every tab: the one that sends is seldom the one that is looked at', async () => {
    const [one, other] = [await open(), await open()]
    server.before = () => {
      throw new ApiError(403, 'permission_denied', 'Not allowed', 'You only look here.', 'Ask an owner.')
    }
    save(other, 'a', null, cat)
    await until(() => refused.length === 2)
    expect(refused[0]).toEqual(refused[1])
    expect(refused[1]).toMatchObject({
      code: 'permission_denied',
      title: 'Not allowed',
      detail: 'You only look here.',
      hint: 'Ask an owner.',
    })
    await Promise.all([saved(one), saved(other)])
  })

  it('sends on from memory when the browser keeps nothing, and shows that closing would lose it', async () => {
    const full: Journal = { ...journal, append: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) }
    server.before = () => {
      throw offline()
    }
    const autosave = await open({ journal: full })
    save(autosave, 'a', null, cat)
    await until(() => autosave.state().kind === 'offline')
    expect(autosave.state()).toMatchObject({ num_waiting: 1, num_unkept: 1 })
    server.before = () => undefined
    autosave.nudge()
    await saved(autosave)
    expect(autosave.state().num_unkept).toBe(0)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('lets one tab send for all, notifies all, and passes the work on when that one is closed', async () => {
    const [one, other] = [await open(), await open()]
    save(other, 'a', null, cat)
    await saved(other)
    expect(server.sent).toHaveLength(1)
    await until(() => received.length === 2)
    expect(received.map((item) => item.id)).toEqual(['a', 'a'])
    server.before = () => {
      throw offline()
    }
    save(other, 'a', cat, dog)
    await until(() => one.state().kind === 'offline' && other.state().kind === 'offline')
    expect([one.state().num_waiting, other.state().num_waiting]).toEqual([1, 1])
    one.close()
    server.before = () => undefined
    await saved(other)
    expect(server.labels('a')).toEqual(['dog'])
  })

  it('asks in every tab about a conflict and takes the answer of one', async () => {
    server.put('a', dog)
    const [one, other] = [await open(), await open()]
    save(one, 'a', null, cat)
    await until(() => other.state().kind === 'conflict')
    await other.resolve('a', 'mine')
    await saved(one)
    await saved(other)
    expect(server.labels('a')).toEqual(['cat'])
  })

  it('leaves the work of other people alone', async () => {
    const other = openJournal('somebody else')
    const name = 'x-1'
    const entry = { operation: name, project: 'prj_2', item: 'z', before: null, after: cat, has_others: false, choice: 'ask' as const }
    await other.append([{ ...entry, seen: null, shown: null, at: 0 }])
    await open()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(server.sent).toEqual([])
    expect(await other.waiting()).toHaveLength(1)
  })
})
