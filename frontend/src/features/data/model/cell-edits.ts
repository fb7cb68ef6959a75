/**
 * Cells that a person has changed and the server has not acknowledged. They are shown at once, sent row by row in the order in which
 * they were typed, and kept with their text when they are refused. No React in it.
 */
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'

export interface CellEdit {
  item: string
  column: string
  /** What the cell held when it was changed; empty for an empty cell. */
  before: string
  text: string
  /** Of the row as the person saw it. */
  blob: string
  state: 'sending' | 'refused' | 'stale'
  /** Whether it takes an earlier change back. */
  isUndo: boolean
  /** Why it was refused. */
  error?: unknown
  /** What somebody else made of the cell meanwhile. */
  theirs?: string
}

export interface CellServer {
  save: (item: string, cells: Record<string, string | null>, blob: string) => Promise<Item>
  read: (item: string) => Promise<Item>
}

export interface CellEvents {
  /** A row as the server has it now. */
  took: (item: Item) => void
  saved: (edit: CellEdit) => void
  refused: (edit: CellEdit) => void
}

/** A row that many people change at once is read anew so often before it is given up. */
const TRIES = 4

/** What a cell holds; empty where the row has none. */
export const cellOf = (item: Pick<Item, 'row'>, column: string): string => item.row?.cells[column] ?? ''

const keyOf = (item: string, column: string): string => JSON.stringify([item, column])

export class CellEdits {
  #edits: ReadonlyMap<string, CellEdit> = new Map()
  #done: CellEdit[] = []
  /** By row: the hashes that it had by changes from here, the present one last. */
  #own = new Map<string, string[]>()
  #turns = new Map<string, Promise<void>>()
  #rows = new Map<string, Item>()
  #listeners = new Set<() => void>()

  constructor(
    private readonly server: CellServer,
    private readonly events: CellEvents,
  ) {}

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getState = (): ReadonlyMap<string, CellEdit> => this.#edits

  /**
   * Changes a cell.
   *
   * @param item the row as the person saw it
   * @param text what is to be in it; white space around it is dropped, as the server does
   */
  set(item: Item, column: string, text: string, isUndo = false): void {
    const earlier = editOf(this.#edits, item.id, column)
    // What is on its way counts as what the cell holds: the next change follows it.
    const before = earlier === undefined ? cellOf(item, column) : earlier.state === 'sending' ? earlier.text : earlier.before
    const after = text.trim()
    if (after !== before) {
      const blob = earlier?.state === 'stale' ? earlier.blob : item.blob
      this.#send({ item: item.id, column, before, text: after, blob, state: 'sending', isUndo })
    } else if (earlier?.state === 'refused') this.drop(earlier)
  }

  /** Gives up a change that was refused. */
  drop(edit: CellEdit): void {
    const key = keyOf(edit.item, edit.column)
    if (this.#edits.get(key) !== edit) return
    this.#edits = new Map([...this.#edits].filter(([other]) => other !== key))
    this.#changed()
  }

  /** Ends a conflict: the person's own text goes over what somebody else wrote, or is given up. */
  resolve(edit: CellEdit, choice: 'mine' | 'theirs'): void {
    if (edit.state !== 'stale') return
    if (choice === 'theirs') this.drop(edit)
    else this.#send({ ...edit, before: edit.theirs ?? '', theirs: undefined, state: 'sending' })
  }

  /** Takes a change back that was saved. */
  undo(edit: CellEdit): void {
    const row = this.#rows.get(edit.item)
    this.#done = this.#done.filter((one) => one !== edit)
    if (row) this.set(row, edit.column, edit.before, true)
  }

  /** Takes the change back that was saved last; whether there was one. */
  undoLast(): boolean {
    const last = this.#done.at(-1)
    if (last) this.undo(last)
    return last !== undefined
  }

  #send(edit: CellEdit): void {
    this.#put(edit)
    const turn = (this.#turns.get(edit.item) ?? Promise.resolve()).then(() => this.#save(edit))
    this.#turns.set(edit.item, turn)
    void turn.then(() => this.#turns.get(edit.item) === turn && this.#turns.delete(edit.item))
  }

  async #save(edit: CellEdit): Promise<void> {
    const own = this.#own.get(edit.item) ?? []
    let blob = own.includes(edit.blob) ? (own.at(-1) ?? edit.blob) : edit.blob
    try {
      for (let tries = 1; ; tries++) {
        try {
          const saved = await this.server.save(edit.item, { [edit.column]: edit.text || null }, blob)
          this.#own.set(edit.item, [...(own.includes(edit.blob) ? own : [edit.blob]), blob, saved.blob])
          this.#took(saved)
          this.drop(edit)
          if (!edit.isUndo) this.#done.push(edit)
          this.events.saved(edit)
          return
        } catch (error) {
          if (!isStale(error) || tries === TRIES) throw error
        }
        const now = await this.server.read(edit.item)
        this.#took(now)
        const cell = cellOf(now, edit.column)
        if (cell === edit.text) return this.drop(edit)
        if (cell !== edit.before) return this.#fail(edit, { state: 'stale', theirs: cell, blob: now.blob })
        blob = now.blob // Another cell of the row was changed; this one is as the person saw it.
      }
    } catch (error) {
      this.#fail(edit, { state: 'refused', error })
    }
  }

  #took(item: Item): void {
    this.#rows.set(item.id, item)
    this.events.took(item)
  }

  #fail(edit: CellEdit, how: Pick<CellEdit, 'state'> & Partial<CellEdit>): void {
    const key = keyOf(edit.item, edit.column)
    const next = this.#edits.get(key)
    const failed = { ...edit, ...how }
    if (next === edit) this.#put(failed)
    // The cell was changed once more meanwhile: that change now follows what the cell held before this one.
    else if (next) next.before = edit.before
    if (failed.state === 'refused') this.events.refused(failed)
  }

  #put(edit: CellEdit): void {
    this.#edits = new Map([...this.#edits, [keyOf(edit.item, edit.column), edit]])
    this.#changed()
  }

  #changed(): void {
    this.#listeners.forEach((listener) => listener())
  }
}

/** The change of a cell that is not acknowledged yet. */
export function editOf(edits: ReadonlyMap<string, CellEdit>, item: string, column: string): CellEdit | undefined {
  return edits.get(keyOf(item, column))
}

const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'row_stale'
