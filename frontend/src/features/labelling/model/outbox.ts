/** What waits to be sent, as one tab sees it: the journal's entries, and those that are on their way into it or did not fit. */
import type { Journal } from './journal'
import type { AnnotationOperation } from './operation'

export class Outbox {
  #entries: readonly AnnotationOperation[] = []
  /** On their way into the journal. */
  #keeping = new Set<string>()
  /** The journal would not take them. */
  #unkept = new Set<string>()
  /** Acknowledged a moment ago: a journal read before that still names them. */
  #done = new Set<string>()

  constructor(private readonly journal: Journal) {}

  get count(): number {
    return this.#entries.length
  }

  get num_unkept(): number {
    return this.#entries.filter((entry) => this.#unkept.has(entry.operation)).length
  }

  /** The items with changes. */
  items(): string[] {
    return [...new Set(this.#entries.map((entry) => entry.item))]
  }

  /** The changes of an item, oldest first. */
  of(item: string): AnnotationOperation[] {
    return this.#entries.filter((entry) => entry.item === item)
  }

  /** The next to send, oldest first: none that is still being kept, none of the items left out. */
  next(without: ReadonlySet<string>, onlyUnkept: boolean, at_most: number): AnnotationOperation[] {
    const isNext = ({ item, operation }: AnnotationOperation) =>
      !without.has(item) && !this.#keeping.has(operation) && (!onlyUnkept || this.#unkept.has(operation))
    return this.#entries.filter(isNext).slice(0, at_most)
  }

  /** Shows changes as waiting at once; the promise holds when they are kept, or are known not to be. */
  add(entries: readonly AnnotationOperation[]): Promise<void> {
    this.#entries = [...this.#entries, ...entries]
    return this.#keep(entries, () => this.journal.append(entries))
  }

  /** Puts a decision in the place of the changes that it decides about. */
  replace(entries: readonly AnnotationOperation[], by: AnnotationOperation): Promise<void> {
    const names = entries.map((entry) => entry.operation)
    this.remove(names)
    this.#entries = [...this.#entries, by]
    return this.#keep([by], () => this.journal.replace(names, by))
  }

  /** Takes off what the server has answered. */
  remove(names: readonly string[]): void {
    for (const name of names) {
      this.#done.add(name)
      this.#unkept.delete(name)
    }
    if (this.#done.size > 2000) this.#done = new Set([...this.#done].slice(-1000))
    this.#entries = this.#entries.filter((entry) => !this.#done.has(entry.operation))
  }

  async acknowledge(names: readonly string[]): Promise<void> {
    this.remove(names)
    // Where the mark cannot be written the change is sent again some day, and the server knows it.
    await this.journal.acknowledge(names).catch(() => undefined)
  }

  /** Reads the journal, where other tabs and earlier visits wrote too. */
  async refresh(): Promise<void> {
    const stored = await this.journal.waiting().catch(() => null)
    if (stored === null) return
    const names = new Set(stored.map((entry) => entry.operation))
    const own = this.#entries.filter(
      ({ operation }) => !names.has(operation) && (this.#keeping.has(operation) || this.#unkept.has(operation)),
    )
    this.#entries = [...stored.filter((entry) => !this.#done.has(entry.operation)), ...own]
  }

  async #keep(entries: readonly AnnotationOperation[], write: () => Promise<void>): Promise<void> {
    for (const entry of entries) this.#keeping.add(entry.operation)
    try {
      await write()
    } catch {
      for (const entry of entries) this.#unkept.add(entry.operation)
    }
    for (const entry of entries) this.#keeping.delete(entry.operation)
  }
}
