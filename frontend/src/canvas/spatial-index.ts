/** Which objects are near: an R-tree over their bounds, kept up to date change by change. */
import RBush from 'rbush'

import type { Bounds } from './coordinates'
import type { CanvasObject } from './object'
import { shapeOf } from './shapes'

interface Entry extends Bounds {
  id: string
}

export class SpatialIndex {
  private readonly tree = new RBush<Entry>()
  private readonly entries = new Map<string, Entry>()

  load(objects: readonly CanvasObject[]): void {
    this.tree.clear()
    this.entries.clear()
    for (const object of objects) this.entries.set(object.id, entryOf(object))
    this.tree.load([...this.entries.values()])
  }

  put(object: CanvasObject): void {
    this.drop(object.id)
    const entry = entryOf(object)
    this.entries.set(object.id, entry)
    this.tree.insert(entry)
  }

  drop(id: string): void {
    const old = this.entries.get(id)
    if (!old) return
    this.tree.remove(old)
    this.entries.delete(id)
  }

  /** Ids whose bounds touch the rectangle, in no order. */
  search(bounds: Bounds): string[] {
    return this.tree.search(bounds).map((entry) => entry.id)
  }

  boundsOf(id: string): Bounds | undefined {
    return this.entries.get(id)
  }
}

const entryOf = (object: CanvasObject): Entry => ({ ...shapeOf(object).bounds(object), id: object.id })
