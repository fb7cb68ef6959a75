// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'

import { openJournal } from './journal'
import type { AnnotationOperation } from './operation'
import { Spill } from './spill'

const of = (name: string, at = Date.now()): AnnotationOperation => ({
  operation: name,
  project: 'prj_1',
  item: 'itm_1',
  before: null,
  after: [],
  has_others: false,
  choice: 'ask',
  seen: null,
  shown: null,
  at,
})
const names = (operations: AnnotationOperation[]) => operations.map((one) => one.operation)

let person = 0
beforeEach(() => {
  person += 1
  localStorage.clear()
})

describe('the journal', () => {
  it('keeps the order of all tabs and forgets nothing but what is acknowledged', async () => {
    const [one, other] = [openJournal(`usr_${person}`), openJournal(`usr_${person}`)]
    await one.append([of('a-1'), of('a-2')])
    await other.append([of('b-1')])
    await one.append([of('a-3')])
    expect(names(await other.waiting())).toEqual(['a-1', 'a-2', 'b-1', 'a-3'])
    await other.acknowledge(['a-2', 'unknown'])
    expect(names(await one.waiting())).toEqual(['a-1', 'b-1', 'a-3'])
    await one.replace(['a-1', 'a-3'], of('a-4'))
    expect(names(await one.waiting())).toEqual(['b-1', 'a-4'])
  })

  it('takes in what a tab left that crashed before the database had it, once', async () => {
    const journal = openJournal(`usr_${person}`)
    await journal.append([of('a-1')])
    expect(localStorage.length).toBe(0)
    new Spill(`modelyard-journal-usr_${person}`).put([of('a-1', 0), of('a-2', 0)])
    expect(names(await openJournal(`usr_${person}`).waiting())).toEqual(['a-1', 'a-2'])
    expect(localStorage.length).toBe(0)
  })

  it('leaves alone what another tab is writing just now, and does not mind when it was taken in', async () => {
    const journal = openJournal(`usr_${person}`)
    new Spill(`modelyard-journal-usr_${person}`).put([of('a-1')])
    expect(await journal.waiting()).toEqual([])
    await journal.append([of('a-1')])
    await journal.append([of('a-1')])
    expect(names(await journal.waiting())).toEqual(['a-1'])
  })

  it('clears acknowledged ones away when there are many', async () => {
    const journal = openJournal(`usr_${person}`)
    const many = Array.from({ length: 250 }, (_, index) => of(`m-${index}`))
    await journal.append(many)
    await journal.acknowledge(names(many))
    await journal.append([of('m-0')])
    expect(names(await journal.waiting())).toEqual(['m-0'])
  })
})
