/** What was copied. Editors of several pictures may share one, so that objects are carried to the next picture. */
import type { CanvasObject } from './object'

export class Clipboard {
  private objects: readonly CanvasObject[] = []
  /** How often it was pasted: each paste on the same picture stands a little aside. */
  private count = 0

  get isEmpty(): boolean {
    return this.objects.length === 0
  }

  put(objects: readonly CanvasObject[]): void {
    this.objects = objects
    this.count = 0
  }

  take(): { objects: readonly CanvasObject[]; count: number } {
    this.count += 1
    return { objects: this.objects, count: this.count }
  }
}
