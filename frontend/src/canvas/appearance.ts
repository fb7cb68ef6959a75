/** How things are shown to one person; nothing of it is stored with the item. */
import { Signal } from './signal'

export interface PictureLook {
  /** Factors, 1 leaves the picture as it is. */
  brightness: number
  contrast: number
}

export class Appearance {
  readonly changed = new Signal()
  private readonly hidden = new Set<string>()
  private readonly locked = new Set<string>()
  look: PictureLook = { brightness: 1, contrast: 1 }
  hasCrosshair = true
  hasNames = true
  /** Share of opacity inside of shapes, 0..1. */
  fillFraction = 0.18

  isHidden(id: string): boolean {
    return this.hidden.has(id)
  }

  isLocked(id: string): boolean {
    return this.locked.has(id)
  }

  /** Can be picked and changed on the canvas. */
  isFree(id: string): boolean {
    return !this.hidden.has(id) && !this.locked.has(id)
  }

  get numHidden(): number {
    return this.hidden.size
  }

  hide(ids: Iterable<string>, isHidden: boolean): void {
    for (const id of ids)
      if (isHidden) this.hidden.add(id)
      else this.hidden.delete(id)
    this.changed.emit()
  }

  lock(ids: Iterable<string>, isLocked: boolean): void {
    for (const id of ids)
      if (isLocked) this.locked.add(id)
      else this.locked.delete(id)
    this.changed.emit()
  }

  showAll(): void {
    this.hidden.clear()
    this.changed.emit()
  }

  set(change: Partial<Pick<Appearance, 'look' | 'hasCrosshair' | 'hasNames' | 'fillFraction'>>): void {
    Object.assign(this, change)
    this.changed.emit()
  }

  /** Another picture: its objects are others; what is chosen for the eye stays. */
  forgetObjects(): void {
    this.hidden.clear()
    this.locked.clear()
    this.changed.emit()
  }
}
