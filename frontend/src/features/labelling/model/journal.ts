/**
 * What was said but not yet acknowledged by the server, kept in the browser's database: it survives a reload, a crash and a day
 * without network. One entry an item; a newer word replaces the older one unless that one is on its way.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

import type { Said } from './said'

export interface Entry {
  /** Makes sending it twice harmless. */
  operation: string
  project: string
  item: string
  said: Said
  /** The revision that the person saw. */
  revision: number
  at: number
}

interface Schema extends DBSchema {
  entries: { key: string; value: Entry; indexes: { project: string } }
}

export interface Journal {
  all: (project: string) => Promise<Entry[]>
  put: (entry: Entry) => Promise<void>
  remove: (operation: string) => Promise<void>
}

/** Opens the journal of a person: two people who share a browser do not send each other's work. */
export function openJournal(person: string): Journal {
  const opened: Promise<IDBPDatabase<Schema>> = openDB<Schema>(`modelyard-journal-${person}`, 1, {
    upgrade(database) {
      database.createObjectStore('entries', { keyPath: 'operation' }).createIndex('project', 'project')
    },
  })
  return {
    all: async (project) => {
      const entries = await (await opened).getAllFromIndex('entries', 'project', project)
      return entries.sort((one, other) => one.at - other.at)
    },
    put: async (entry) => {
      await (await opened).put('entries', entry)
    },
    remove: async (operation) => {
      await (await opened).delete('entries', operation)
    },
  }
}
