import { describe, expect, it } from 'vitest'

import type { Item } from '../../../lib/api/types'
import { Wall, type WallSource } from './wall'

const SEGMENT = 5
const PART = 20

/** A server with its pictures in memory. */
class InMemorySource implements WallSource {
  items: Item[]
  requests: string[] = []

  constructor(
    num: number,
    private readonly isSparse = false,
  ) {
    this.items = Array.from({ length: num }, (_, index) => ({ id: `itm_${String(index).padStart(4, '0')}`, revision: 0 }) as Item)
  }

  positions = (cursor: string | null) => {
    const all = this.items.map((item) => item.id)
    const from = cursor === null ? 0 : all.findIndex((id) => id > cursor)
    const part = from < 0 ? [] : all.slice(from, from + PART)
    return Promise.resolve({
      starts: part.filter((_, index) => index % SEGMENT === 0),
      segment: SEGMENT,
      num_items: part.length,
      ids: this.isSparse ? part : null,
      next_cursor: from >= 0 && from + PART < all.length ? (part.at(-1) ?? null) : null,
    })
  }

  first = () => {
    this.requests.push('first')
    return Promise.resolve({ items: this.items.slice(0, 7), isAll: this.items.length <= 7 })
  }

  range = (start: string, stop: string) => {
    this.requests.push(start)
    return Promise.resolve(this.items.filter((item) => item.id >= start && (!stop || item.id < stop)))
  }

  named = (ids: readonly string[]) => {
    this.requests.push(`named ${ids[0]}`)
    return Promise.resolve(this.items.filter((item) => ids.includes(item.id)))
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

async function walled(source: InMemorySource): Promise<Wall> {
  const wall = new Wall(source)
  await wall.start()
  return wall
}

async function look(wall: Wall, from: number, to: number): Promise<(string | undefined)[]> {
  wall.show(from, to)
  await settle()
  return Array.from({ length: to - from + 1 }, (_, index) => wall.at(from + index)?.id)
}

describe.each([false, true])('wall (sparse: %s)', (isSparse) => {
  it('knows the total and gives the right picture at every place', async () => {
    const source = new InMemorySource(63, isSparse)
    const wall = await walled(source)
    expect(wall.getState()).toMatchObject({ total: 63, isPending: false, isSearching: false, error: null })
    for (let place = 0; place < 63; place++) expect(await look(wall, place, place)).toEqual([source.items[place]?.id])
  })

  it('jumps without loading what lies between', async () => {
    const source = new InMemorySource(1000, isSparse)
    const wall = await walled(source)
    source.requests = []
    expect(await look(wall, 777, 778)).toEqual([source.items[777]?.id, source.items[778]?.id])
    expect(source.requests).toHaveLength(1)
  })

  it('keeps a bounded number of pictures however far one scrolls', async () => {
    const wall = await walled(new InMemorySource(2000, isSparse))
    for (let place = 0; place < 2000; place += 5) await look(wall, place, place + 9)
    expect(wall.numLoaded).toBeLessThanOrEqual(24 * SEGMENT)
    expect(await look(wall, 0, 0)).toEqual(['itm_0000'])
  })

  it('reads anew only the segments that hold what changed', async () => {
    const source = new InMemorySource(60, isSparse)
    const wall = await walled(source)
    await look(wall, 0, 20)
    source.requests = []
    source.items = source.items.map((item) => (item.id === 'itm_0012' ? { ...item, revision: 1 } : item))
    wall.refresh(['itm_0012'])
    await settle()
    expect(source.requests).toHaveLength(1)
    expect(wall.at(12)?.revision).toBe(1)
  })

  it('closes the gap when a picture leaves, and neither doubles nor loses another', async () => {
    const source = new InMemorySource(40, isSparse)
    const wall = await walled(source)
    await look(wall, 0, 39)
    source.items = source.items.filter((item) => item.id !== 'itm_0011' && item.id !== 'itm_0005')
    wall.refresh()
    await settle()
    expect(wall.getState().total).toBe(38)
    expect(await look(wall, 0, 37)).toEqual(source.items.map((item) => item.id))
  })

  it('gives the ids of a range across segments that are not in memory', async () => {
    const source = new InMemorySource(100, isSparse)
    const wall = await walled(source)
    expect(await wall.idsBetween(3, 58)).toEqual(source.items.slice(3, 59).map((item) => item.id))
  })

  it('is empty when nothing matches', async () => {
    const wall = await walled(new InMemorySource(0, isSparse))
    expect(wall.getState()).toMatchObject({ total: 0, isPending: false, isSearching: false })
    expect(wall.at(0)).toBeUndefined()
  })
})

it('reports an error and goes on from a later answer', async () => {
  const source = new InMemorySource(30)
  const wall = await walled(source)
  const { range } = source
  source.range = () => Promise.reject(new Error('gone'))
  wall.show(20, 21)
  await settle()
  expect(wall.getState().error).toBeInstanceOf(Error)
  source.range = range
  expect(await look(wall, 20, 20)).toEqual(['itm_0020'])
  expect(wall.getState().error).toBeNull()
})

it('begins anew where nothing came at first', async () => {
  const source = new InMemorySource(30)
  const { first } = source
  source.first = () => Promise.reject(new Error('gone'))
  const { positions } = source
  source.positions = () => Promise.reject(new Error('gone'))
  const wall = new Wall(source)
  await wall.start()
  expect(wall.getState()).toMatchObject({ total: 0, isPending: false })
  expect(wall.getState().error).toBeInstanceOf(Error)
  Object.assign(source, { first, positions })
  wall.refresh()
  await settle()
  expect(wall.getState()).toMatchObject({ total: 30, error: null })
})

it('reads once more what changed while it was on its way, and what could not be read anew', async () => {
  const source = new InMemorySource(30)
  const wall = await walled(source)
  await look(wall, 20, 20)
  const { range } = source
  const change = (revision: number) => (source.items = source.items.map((item) => ({ ...item, revision })))
  const answers: (() => void)[] = []
  source.range = async (start, stop) => {
    const before = await range(start, stop)
    await new Promise<void>((resolve) => answers.push(resolve))
    return before
  }
  wall.refresh()
  await settle()
  change(1)
  wall.refresh()
  source.range = range
  answers.forEach((answer) => answer())
  await settle()
  expect(wall.at(20)?.revision).toBe(1)

  source.range = () => Promise.reject(new Error('gone'))
  change(2)
  wall.refresh()
  await settle()
  expect(wall.getState().error).toBeInstanceOf(Error)
  expect(wall.at(20)?.revision).toBe(1)
  source.range = range
  await wall.reposition()
  await settle()
  expect(wall.getState().error).toBeNull()
  expect(wall.at(20)?.revision).toBe(2)
})

it('takes a picture that is known to have changed, without asking', async () => {
  const source = new InMemorySource(12)
  const wall = await walled(source)
  await look(wall, 0, 11)
  const numRequests = source.requests.length
  const { version } = wall.getState()
  wall.put({ id: 'itm_0006', revision: 9 } as Item)
  wall.put({ id: 'itm_0099', revision: 9 } as Item)
  expect([wall.at(6)?.revision, wall.at(5)?.revision, wall.getState().version]).toEqual([9, 0, version + 1])
  expect(source.requests).toHaveLength(numRequests)
})

it('keeps the order of a source that names its items', async () => {
  const source = new InMemorySource(12)
  const backwards = source.items.map(({ id }) => id).reverse()
  const positions = () =>
    Promise.resolve({
      starts: backwards.filter((_, index) => index % SEGMENT === 0),
      segment: SEGMENT,
      num_items: 12,
      ids: backwards,
      next_cursor: null,
    })
  const wall = new Wall({ ...source, positions, first: null })
  await wall.start()
  expect(wall.getState()).toMatchObject({ total: 12, isPending: false, isSearching: false })
  expect(await look(wall, 0, 11)).toEqual(backwards)
  expect(await wall.idsBetween(3, 6)).toEqual(backwards.slice(3, 7))
  await wall.reposition()
  await settle()
  expect(await look(wall, 0, 11)).toEqual(backwards)
})
