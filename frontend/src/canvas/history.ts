/** Undo and redo, 200 steps deep. A gesture is one step, whatever it changed. */
import { type CanvasDocument, type Operation, same } from './document'

export const HISTORY_DEPTH = 200

/** A change that was made, and the one that takes it back. */
export interface Change {
  operation: Operation
  inverse: Operation
}

type Step = Change[]

export class History {
  private readonly done: Step[] = []
  private readonly undone: Step[] = []

  get canUndo(): boolean {
    return this.done.length > 0
  }

  get canRedo(): boolean {
    return this.undone.length > 0
  }

  get depth(): number {
    return this.done.length
  }

  push(step: Step): void {
    if (step.length === 0) return
    this.done.push(step)
    if (this.done.length > HISTORY_DEPTH) this.done.shift()
    this.undone.length = 0
  }

  /** Takes the last step back and returns what changed. Steps that somebody else made void meanwhile are passed over. */
  undo(document: CanvasDocument): Step {
    return this.move(document, this.done, this.undone)
  }

  redo(document: CanvasDocument): Step {
    return this.move(document, this.undone, this.done)
  }

  clear(): void {
    this.done.length = 0
    this.undone.length = 0
  }

  private move(document: CanvasDocument, from: Step[], to: Step[]): Step {
    for (let step = from.pop(); step; step = from.pop()) {
      const changed = takeBack(document, step)
      if (changed.length === 0) continue
      to.push(changed)
      return changed
    }
    return []
  }
}

/**
 * Applies the inverses, last first. A field that somebody else changed after us stays as they left it, an object that they
 * removed stays removed.
 */
function takeBack(document: CanvasDocument, step: Step): Step {
  const out: Step = []
  for (const { operation, inverse } of step.toReversed()) {
    const kept = inverse.type === 'update' && operation.type === 'update' ? stillOurs(document, operation, inverse) : inverse
    const back = document.apply(kept)
    if (back) out.push({ operation: kept, inverse: back })
  }
  return out
}

function stillOurs(
  document: CanvasDocument,
  operation: Extract<Operation, { type: 'update' }>,
  inverse: Extract<Operation, { type: 'update' }>,
): Operation {
  const now = (document.get(operation.id) ?? {}) as Record<string, unknown>
  const ours = Object.entries(inverse.patch).filter(([key]) => same(now[key] ?? null, operation.patch[key] ?? null))
  return { ...inverse, patch: Object.fromEntries(ours) }
}
