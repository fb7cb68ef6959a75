/**
 * The few milliseconds between a key and the journal: when a tab crashes, the browser takes back what its database has not finished
 * writing, but not what was put into local storage. So a change lies there until the journal has it.
 */
import type { AnnotationOperation } from './operation'

/** Larger ones are too slow to write beside; they have the journal alone. */
const MAX_CHARS = 100_000

export class Spill {
  constructor(private readonly name: string) {}

  put(operations: readonly AnnotationOperation[]): void {
    for (const operation of operations) {
      const text = JSON.stringify(operation)
      try {
        if (text.length <= MAX_CHARS) localStorage.setItem(this.#key(operation.operation), text)
      } catch {
        return // full: the journal is tried next and reports it
      }
    }
  }

  remove(operations: readonly AnnotationOperation[]): void {
    for (const { operation } of operations) localStorage.removeItem(this.#key(operation))
  }

  /** What a tab that crashed left behind. */
  left(): AnnotationOperation[] {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    const found = keys
      .filter((key) => key.startsWith(this.#key('')))
      .map((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as AnnotationOperation | null)
    return found.filter((one) => one !== null).sort((one, other) => one.at - other.at)
  }

  #key(operation: string): string {
    return `${this.name}:${operation}`
  }
}
