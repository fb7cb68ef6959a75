/** A thing that changes and notifies its listeners. The version lets React read it with `useSyncExternalStore`. */
export class Signal {
  version = 0
  private readonly listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly read = (): number => this.version

  emit(): void {
    this.version += 1
    for (const listener of this.listeners) listener()
  }
}
