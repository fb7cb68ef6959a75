import { describe, expect, it } from 'vitest'

import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import { cellOf, type CellEdit, CellEdits, type CellServer, editOf } from './cell-edits'

const stale = () => new ApiError(409, 'row_stale', '', '', '')

/** A server with one row in memory; its hash depends on the cells, as the real one does. */
class InMemoryRow implements CellServer {
  cells: Record<string, string> = { age: '41', city: 'Ulm' }
  sent: [Record<string, string | null>, string][] = []
  refusal: ApiError | null = null

  item = (): Item => ({ id: 'itm_1', blob: JSON.stringify(this.cells), row: { cells: this.cells, copy_number: 1 } }) as unknown as Item

  write(cells: Record<string, string | null>): void {
    const all = { ...this.cells, ...cells }
    this.cells = Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null))
  }

  save = (_: string, cells: Record<string, string | null>, blob: string) => {
    this.sent.push([cells, blob])
    if (this.refusal) return Promise.reject(this.refusal)
    if (blob !== this.item().blob) return Promise.reject(stale())
    this.write(cells)
    return Promise.resolve(this.item())
  }

  read = () => Promise.resolve(this.item())
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

function begun() {
  const server = new InMemoryRow()
  const calls: { took: Item[]; saved: CellEdit[]; refused: CellEdit[] } = { took: [], saved: [], refused: [] }
  const edits = new CellEdits(server, {
    took: (item) => calls.took.push(item),
    saved: (edit) => calls.saved.push(edit),
    refused: (edit) => calls.refused.push(edit),
  })
  const seen = server.item()
  return { server, calls, edits, seen, edit: (column = 'age') => editOf(edits.getState(), 'itm_1', column) }
}

describe('cells that are changed', () => {
  it('are shown at once and forgotten when the server has them', async () => {
    const { server, calls, edits, seen, edit } = begun()
    edits.set(seen, 'age', ' 42 ')
    expect(edit()).toMatchObject({ text: '42', before: '41', state: 'sending' })
    await settle()
    expect([edit(), server.cells.age]).toEqual([undefined, '42'])
    expect(calls.took.map((item) => cellOf(item, 'age'))).toEqual(['42'])
  })

  it('are not sent when they are as they were, and an empty one takes the cell away', async () => {
    const { server, edits, seen } = begun()
    edits.set(seen, 'age', '41 ')
    edits.set(seen, 'city', '  ')
    await settle()
    expect(server.sent.map(([cells]) => cells)).toEqual([{ city: null }])
    expect(server.cells).toEqual({ age: '41' })
  })

  it('follow one another within a row, each on what the one before made of it', async () => {
    const { server, calls, edits, seen } = begun()
    edits.set(seen, 'age', '42')
    edits.set(seen, 'city', 'Bonn')
    edits.set(seen, 'age', '43')
    expect(server.sent).toHaveLength(0)
    await settle()
    expect(server.cells).toEqual({ age: '43', city: 'Bonn' })
    expect(calls.saved.map(({ before, text }) => [before, text])).toEqual([
      ['41', '42'],
      ['Ulm', 'Bonn'],
      ['42', '43'],
    ])
    expect(server.sent).toHaveLength(3)
  })

  it('go through when somebody changed another cell of the row', async () => {
    const { server, edits, seen, edit } = begun()
    server.write({ city: 'Jena' })
    edits.set(seen, 'age', '42')
    await settle()
    expect([edit(), server.cells]).toEqual([undefined, { age: '42', city: 'Jena' }])
  })

  it('wait for a choice when somebody changed the same cell', async () => {
    const { server, edits, seen, edit } = begun()
    server.write({ age: '50' })
    edits.set(seen, 'age', '42')
    await settle()
    expect(edit()).toMatchObject({ state: 'stale', text: '42', theirs: '50' })
    expect(server.cells.age).toBe('50')
    edits.resolve(edit() as CellEdit, 'mine')
    await settle()
    expect([edit(), server.cells.age]).toEqual([undefined, '42'])

    server.write({ age: '60' })
    edits.set(seen, 'age', '70')
    await settle()
    edits.resolve(edit() as CellEdit, 'theirs')
    await settle()
    expect([edit(), server.cells.age]).toEqual([undefined, '60'])
  })

  it('are done when somebody wrote the same', async () => {
    const { server, calls, edits, seen, edit } = begun()
    server.write({ age: '42' })
    edits.set(seen, 'age', '42')
    await settle()
    expect([edit(), calls.saved]).toEqual([undefined, []])
  })

  it('give up on a row that never stands still', async () => {
    const { server, calls, edits, seen, edit } = begun()
    server.refusal = stale()
    edits.set(seen, 'age', '42')
    await settle()
    expect([edit()?.state, server.sent.length, calls.refused.length]).toEqual(['refused', 4, 1])
  })

  it('keep the text that was refused, to be sent again, changed or given up', async () => {
    const { server, calls, edits, seen, edit } = begun()
    server.refusal = new ApiError(422, 'cells_invalid', 'The cells cannot be so', '', '')
    edits.set(seen, 'age', '42')
    await settle()
    expect(edit()).toMatchObject({ state: 'refused', text: '42', error: server.refusal })
    expect(calls.refused).toHaveLength(1)
    server.refusal = null
    edits.set(seen, 'age', '42')
    await settle()
    expect([edit(), server.cells.age]).toEqual([undefined, '42'])

    server.refusal = new ApiError(0, 'offline', '', '', '')
    edits.set(server.item(), 'age', '43')
    await settle()
    edits.set(server.item(), 'age', '42')
    expect(edit()).toBeUndefined()
  })

  it('judge a change that follows a refused one by what the cell really held', async () => {
    const { server, edits, seen, edit } = begun()
    server.write({ age: '50' })
    edits.set(seen, 'age', '42')
    edits.set(seen, 'age', '43')
    await settle()
    expect(edit()).toMatchObject({ state: 'stale', before: '41', text: '43', theirs: '50' })
  })

  it('are taken back one by one, the last first', async () => {
    const { server, calls, edits, seen } = begun()
    edits.set(seen, 'age', '42')
    edits.set(seen, 'age', '43')
    edits.set(seen, 'city', '')
    await settle()
    for (const expected of [
      { age: '43', city: 'Ulm' },
      { age: '42', city: 'Ulm' },
      { age: '41', city: 'Ulm' },
    ]) {
      expect(edits.undoLast()).toBe(true)
      await settle()
      expect(server.cells).toEqual(expected)
    }
    expect(edits.undoLast()).toBe(false)
    expect(calls.saved.map(({ isUndo }) => isUndo)).toEqual([false, false, false, true, true, true])
  })

  it('are not taken back over what somebody else wrote since', async () => {
    const { server, edits, seen, edit } = begun()
    edits.set(seen, 'age', '42')
    await settle()
    server.write({ age: '50' })
    edits.undoLast()
    await settle()
    expect(edit()).toMatchObject({ state: 'stale', text: '41', theirs: '50' })
    expect(server.cells.age).toBe('50')
  })

  it('notify listeners, until they stop', async () => {
    const { edits, seen } = begun()
    let numNotified = 0
    const stop = edits.subscribe(() => numNotified++)
    edits.set(seen, 'age', '42')
    await settle()
    stop()
    edits.set(seen, 'city', 'Bonn')
    await settle()
    expect(numNotified).toBe(2)
  })
})
