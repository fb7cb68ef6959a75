/** The chosen objects. */
import { Signal } from './signal'

export class Selection {
  readonly changed = new Signal()
  private chosen: ReadonlySet<string> = new Set()

  get ids(): ReadonlySet<string> {
    return this.chosen
  }

  get size(): number {
    return this.chosen.size
  }

  /** The one chosen object, or null when there are none or several. */
  get only(): string | null {
    const [first] = this.chosen
    return this.chosen.size === 1 && first !== undefined ? first : null
  }

  has(id: string): boolean {
    return this.chosen.has(id)
  }

  set(ids: Iterable<string>): void {
    const next = new Set(ids)
    if (next.size === this.chosen.size && [...next].every((id) => this.chosen.has(id))) return
    this.chosen = next
    this.changed.emit()
  }

  toggle(id: string): void {
    this.set(this.has(id) ? [...this.chosen].filter((each) => each !== id) : [...this.chosen, id])
  }

  clear(): void {
    this.set([])
  }
}
