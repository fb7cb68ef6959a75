/**
 * Changes that the server has not acknowledged, kept in the browser's database: they survive a reload, a crash and a day without
 * network. Only ever appended to; what is acknowledged is marked, and cleared away later in one go.
 */
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb'

import type { AnnotationOperation } from './operation'
import { Spill } from './spill'

interface StoredOperation extends AnnotationOperation {
  /** The order of all tabs together. */
  sequence?: number
  acknowledged: 0 | 1
}

interface Schema extends DBSchema {
  operations: { key: number; value: StoredOperation; indexes: { operation: string; acknowledged: number } }
}

export interface Journal {
  /** Rejects when the browser cannot keep it, e.g. because its storage is full. */
  append: (operations: readonly AnnotationOperation[]) => Promise<void>
  /** What was not acknowledged, in order. */
  waiting: () => Promise<AnnotationOperation[]>
  acknowledge: (names: readonly string[]) => Promise<void>
  /** Puts a decision in the place of what it decides about, both or neither. */
  replace: (names: readonly string[], by: AnnotationOperation) => Promise<void>
}

const VERSION = 2
/** A change that lies beside the journal for longer than this belongs to a tab that is gone. */
const SPILLED_MS = 500
/** Acknowledged entries that may lie about before they are cleared away. */
const MAX_ACKNOWLEDGED = 200

type Store = IDBPObjectStore<Schema, ['operations'], 'operations', 'readwrite'>

async function mark(store: Store, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const entry = await store.index('operation').get(name)
    if (entry) await store.put({ ...entry, acknowledged: 1 })
  }
}

/** Opens the journal of a person: two people who share a browser do not send each other's work. */
export function openJournal(person: string): Journal {
  let opened: Promise<IDBPDatabase<Schema>> | null = null
  const spill = new Spill(`modelyard-journal-${person}`)
  const database = () => {
    opened ??= connect(`modelyard-journal-${person}`, () => (opened = null))
    opened.catch(() => (opened = null))
    return opened
  }
  const write = async () => (await database()).transaction('operations', 'readwrite', { durability: 'strict' })
  const putMissing = async (operations: readonly AnnotationOperation[]) => {
    const change = await write()
    for (const one of operations)
      if (!(await change.store.index('operation').getKey(one.operation))) await change.store.add({ ...one, acknowledged: 0 })
    await change.done
  }
  /** Puts what crashed tabs left into the journal, each once. */
  const takeIn = async () => {
    const left = spill.left().filter((one) => Date.now() - one.at > SPILLED_MS)
    if (!left.length) return
    await putMissing(left)
    spill.remove(left)
  }
  return {
    append: async (operations) => {
      spill.put(operations)
      const change = await write()
      let isKnown = false
      for (const operation of operations)
        void change.store
          .add({ ...operation, acknowledged: 0 })
          .catch((error: unknown) => (isKnown ||= error instanceof DOMException && error.name === 'ConstraintError'))
      // Without waiting for answers: once asked for, the browser finishes it even when the page is left.
      change.commit()
      try {
        await change.done
      } catch (error) {
        // A tab that was just opened may have taken one for a crashed tab's and put it in.
        if (!isKnown) throw error
        await putMissing(operations)
      }
      spill.remove(operations)
    },
    waiting: async () => {
      await takeIn()
      const found = await (await database()).getAllFromIndex('operations', 'acknowledged', 0)
      return found.sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0)).map(plain)
    },
    acknowledge: async (names) => {
      const change = await write()
      await mark(change.store, names)
      const old = await change.store.index('acknowledged').getAllKeys(1)
      if (old.length > MAX_ACKNOWLEDGED) await Promise.all(old.map((key) => change.store.delete(key)))
      await change.done
    },
    replace: async (names, by) => {
      const change = await write()
      await mark(change.store, names)
      await change.store.add({ ...by, acknowledged: 0 })
      await change.done
    },
  }
}

function connect(name: string, onClosed: () => void): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(name, VERSION, {
    upgrade,
    blocking: (_now, _next, event) => (event.target as IDBDatabase).close(),
    terminated: onClosed,
  })
}

function upgrade(database: IDBPDatabase<Schema>): void {
  for (const name of [...database.objectStoreNames]) database.deleteObjectStore(name)
  const store = database.createObjectStore('operations', { keyPath: 'sequence', autoIncrement: true })
  store.createIndex('operation', 'operation', { unique: true })
  store.createIndex('acknowledged', 'acknowledged')
}

function plain(stored: StoredOperation): AnnotationOperation {
  const operation: Partial<StoredOperation> = { ...stored }
  delete operation.sequence
  delete operation.acknowledged
  return operation as AnnotationOperation
}
