// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import { ApiError } from '../../../lib/api/errors'
import { Autosave } from './autosave'
import { openJournal } from './journal'
import { InMemoryTabs } from './tabs'
import { InMemoryServer, offline } from './test-server'

/** An object that is there before all strokes; a stroke leaves it out of what it sends. */
const testBox = { kind: 'box' as const, label: 'dog', id: 'first', x: 0, y: 0, width: 1, height: 1 }

const server = new InMemoryServer()
const journal = openJournal('usr_chaos')
const tabs = new InMemoryTabs()

async function open(): Promise<Autosave> {
  const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 2))
  const made = new Autosave({ journal, tabs: tabs.tab(), send: server.send, sleep })
  await made.open()
  return made
}

async function saved(autosave: Autosave): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) {
    if (autosave.state().kind === 'saved') return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error(`never saved: ${autosave.state().kind}`)
}

describe('nothing is lost', () => {
  /** Numbers that look random and are the same each time (mulberry32). */
  function dice(seed: number): (sides: number) => number {
    let state = seed
    return (sides) => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
    }
  }

  it('at two hundred random points where page, network, session or server is killed', { timeout: 60_000 }, async () => {
    const roll = dice(2026)
    let drawn = 0
    let kills = 0
    const expected = new Map<string, string[]>()
    let pages = [await open(), await open()]
    const die = (what: string) => () => {
      kills += 1
      throw what === 'session' ? new ApiError(401, 'not_signed_in', '', '', '') : offline()
    }
    while (kills < 200) {
      const page = pages[roll(pages.length)] as Autosave
      // A stroke adds a box of its own: no two are alike, so none can be lost or doubled unseen.
      for (let stroke = roll(4); stroke > 0; stroke--) {
        const item = `i${roll(5)}`
        const id = `box-${drawn++}`
        const box = { kind: 'box' as const, label: 'cat', id, x: drawn, y: 0, width: 2, height: 2 }
        page.saveAll([{ project: 'prj_1', item, before: [testBox], after: [testBox, box], shown: null }])
        expected.set(item, [...(expected.get(item) ?? []), id])
      }
      const fate = roll(6)
      server.before = fate === 1 ? die('network') : fate === 2 ? die('session') : () => undefined
      server.after = fate === 3 ? die('answer') : () => undefined
      // What is on its way into the browser's database gets there also when the page is gone.
      await new Promise((resolve) => setTimeout(resolve, roll(4)))
      if (fate === 4) {
        kills += 1
        page.close()
        pages = [...pages.filter((one) => one !== page), await open()]
      }
      if (fate === 5) {
        kills += 1
        pages.forEach((one) => one.close())
        pages = [await open(), await open()]
      }
    }
    server.before = server.after = () => undefined
    pages.forEach((one) => one.nudge())
    for (const one of pages) await saved(one)
    expect(drawn).toBeGreaterThan(200)
    for (const [item, boxes] of expected) {
      const found = server.item(item).annotations.flatMap((one) => (one.id && one.id !== testBox.id ? [one.id] : []))
      expect(found.sort(), item).toEqual(boxes.sort())
      expect(server.item(item).revision, item).toBe(boxes.length)
    }
    expect(new Set(server.made.map((one) => one.operation)).size).toBe(drawn)
  })
})
