import { beforeEach, describe, expect, it } from 'vitest'

import { labelsOf, ofLabels, type ItemAnnotations } from '../../../answers/annotations'
import { AHEAD, LabellingSession } from './labelling-session'
import { testItem } from './test-items'

let saved: [string, ItemAnnotations, ItemAnnotations][]
let preloaded: string[]
let reads: string[][]
let queue: string[]
let pending: { item: string; before: ItemAnnotations; after: ItemAnnotations; has_others: boolean }[]

beforeEach(() => {
  saved = []
  preloaded = []
  reads = []
  queue = Array.from({ length: 12 }, (_, index) => `q${index}`)
  pending = []
})

function editor(options: { takesSeveral?: boolean; missing?: string[] } = {}) {
  return new LabellingSession({
    takesSeveral: options.takesSeveral ?? false,
    source: {
      read: (ids) => {
        reads.push(ids)
        return Promise.resolve(ids.filter((id) => !options.missing?.includes(id)).map((id) => testItem(id)))
      },
      take: (skip, count) =>
        Promise.resolve(
          queue
            .filter((id) => !skip.includes(id))
            .slice(0, count)
            .map((id) => testItem(id)),
        ),
    },
    save: (item, before, after) => {
      saved.push([item, before, after])
      pending.push({ item, before, after, has_others: false })
    },
    pending: (item) => pending.filter((step) => step.item === item),
    preload: ({ picture_url }) => preloaded.push(picture_url),
  })
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 1))

describe('LabellingSession', () => {
  it('shows the first of the queue and has the next ones at hand', async () => {
    const one = editor()
    await one.open(null, null)
    expect(one.state().item?.id).toBe('q0')
    expect(preloaded).toHaveLength(AHEAD + 1)
  })

  it('goes on without waiting, and fetches further as it goes', async () => {
    const one = editor()
    await one.open(null, null)
    for (let index = 1; index <= 3; index++) {
      one.next()
      expect(one.state()).toMatchObject({ index, item: { id: `q${index}` }, isLoading: false })
    }
    await settle()
    expect(preloaded).toHaveLength(3 + AHEAD + 1)
  })

  it('walks the whole queue and then shows that nothing is left', async () => {
    const one = editor()
    await one.open(null, null)
    const seen: string[] = []
    for (let turn = 0; turn < 20 && !one.state().isDone; turn++) {
      seen.push(one.state().item?.id ?? '')
      one.next()
      await settle()
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `q${index}`))
    one.previous()
    expect(one.state().item?.id).toBe('q11')
  })

  it('reports what was passed over at the end, and goes through it once more', async () => {
    queue = ['q0', 'q1', 'q2', 'q3']
    const one = editor()
    await one.open(null, null)
    one.pick('screw')
    for (let turn = 0; turn < 4; turn++) one.next()
    await settle()
    expect(one.state()).toMatchObject({ isDone: true, num_passed: 3 })
    one.again()
    for (const id of ['q1', 'q2', 'q3']) {
      expect(one.state()).toMatchObject({ item: { id }, isDone: false })
      one.pick('nut')
      one.next()
    }
    await settle()
    expect(one.state()).toMatchObject({ isDone: true, num_passed: 0 })
    one.undo()
    expect(one.state()).toMatchObject({ item: { id: 'q3' }, annotations: null })
  })

  it('goes on with what was added once nothing was left', async () => {
    queue = []
    const one = editor()
    const opening = one.open(null, null)
    queue = ['q1']
    const added = one.added()
    await Promise.all([opening, added])
    expect(one.state()).toMatchObject({ item: { id: 'q1' }, isDone: false })
    one.pick('nut')
    one.next()
    await settle()
    expect(one.state().isDone).toBe(true)
    queue.push('q2')
    await one.added()
    expect(one.state()).toMatchObject({ item: { id: 'q2' }, isDone: false })
  })

  it('opens a list where it was clicked and reads only what is near', async () => {
    const one = editor()
    const list = Array.from({ length: 500 }, (_, index) => `i${index}`)
    await one.open(list, 'i100')
    expect(one.state()).toMatchObject({ index: 100, item: { id: 'i100' } })
    expect(reads).toEqual([['i100', 'i101', 'i102', 'i103', 'i104', 'i105']])
  })

  it('names those around with what is known of them, and goes to one of them', async () => {
    const one = editor()
    await one.open(queue, 'q4')
    one.pick('cat')
    one.next()
    expect(one.state().around.map(({ id }) => id)).toEqual(queue)
    expect(one.state().around.filter(({ isAnnotated }) => isAnnotated)).toEqual([{ id: 'q4', isAnnotated: true }])
    one.visit('q1')
    await settle()
    expect(one.state()).toMatchObject({ item: { id: 'q1' }, index: 1 })
  })

  it('passes over items that are gone', async () => {
    const one = editor({ missing: ['b', 'c'] })
    await one.open(['a', 'b', 'c', 'd'], 'b')
    expect(one.state().item?.id).toBe('d')
  })

  it('saves a pick at once, with what was seen before it', async () => {
    const one = editor()
    await one.open(null, null)
    one.pick('cat')
    expect(saved).toEqual([['q0', null, ofLabels(['cat'])]])
    one.pick('cat')
    expect(saved).toHaveLength(1)
  })

  it('distinguishes empty from unlabelled', async () => {
    const one = editor({ takesSeveral: true })
    await one.open(null, null)
    one.pickNothing()
    expect(one.state().annotations).toEqual([])
    one.clear()
    expect(one.state().annotations).toBeNull()
    expect(saved.map(([, , what]) => what)).toEqual([[], null])
  })

  it('undo goes back to the item that it changes, and saves what was there', async () => {
    const one = editor()
    await one.open(null, null)
    one.pick('cat')
    one.next()
    one.pick('dog')
    one.next()
    one.undo()
    expect(one.state()).toMatchObject({ index: 1, annotations: null })
    one.undo()
    expect(one.state()).toMatchObject({ index: 0, annotations: null, canUndo: false, canRedo: true })
    one.redo()
    expect(labelsOf(one.state().annotations)).toEqual(['cat'])
    expect(saved.at(-1)).toEqual(['q0', null, ofLabels(['cat'])])
  })

  it.each([{ missing: [] }, { missing: ['q0'] }])(
    'takes back what the server would not take, also where the item is gone: %o',
    async (options) => {
      const one = editor(options)
      await one.open(null, null)
      one.pick('cat')
      expect(one.state().annotations).toEqual(ofLabels(['cat']))
      pending = []
      await one.reread('q0')
      expect(one.state()).toMatchObject({ item: { id: 'q0' }, annotations: null })
    },
  )

  it('shows unsaved annotations, then the server’s', async () => {
    const one = editor()
    await one.open(null, null)
    one.pick('cat')
    one.received(testItem('q0', ofLabels(['dog']), 1))
    expect(labelsOf(one.state().annotations)).toEqual(['cat'])
    pending = []
    one.received(testItem('q0', ofLabels(['dog']), 2))
    expect(labelsOf(one.state().annotations)).toEqual(['dog'])
    one.received(testItem('q0', ofLabels(['cow']), 1))
    expect(labelsOf(one.state().annotations)).toEqual(['dog'])
    one.pick('cat')
    expect(saved.at(-1)).toEqual(['q0', ofLabels(['dog']), ofLabels(['cat'])])
  })

  it('shows what an earlier visit left unsaved', async () => {
    const one = editor()
    pending = [{ item: 'a', before: null, after: ofLabels(['cat']), has_others: false }]
    await one.open(['a'], 'a')
    expect(labelsOf(one.state().annotations)).toEqual(['cat'])
  })

  it('knows the annotations of the previous picture, also of one that was never shown', async () => {
    const one = editor()
    await one.open(['a', 'b', 'c'], 'b')
    expect(await one.previousAnnotations()).toBeNull()
    expect(reads.at(-1)).toEqual(['a'])
    one.pick('cat')
    one.next()
    expect(await one.previousAnnotations()).toEqual(ofLabels(['cat']))
    expect(reads.filter((ids) => ids.includes('b'))).toHaveLength(1)
  })

  it('reports a failed fetch and goes on after a retry', async () => {
    let isDown = true
    const one = new LabellingSession({
      takesSeveral: false,
      source: {
        read: () => Promise.resolve([]),
        take: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([testItem('a')])),
      },
      save: () => undefined,
      pending: () => [],
    })
    await one.open(null, null)
    expect(one.state()).toMatchObject({ item: null, isDone: false, error: new Error('down') })
    isDown = false
    await one.retry()
    expect(one.state()).toMatchObject({ item: { id: 'a' }, error: null })
  })
})
