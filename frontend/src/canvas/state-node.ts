/**
 * Tools are state machines: a state is an object with the handlers that matter in it, made by a function that closes over what it
 * needs, and it goes on by naming the next state. No state means no flags that contradict one another.
 */
import type { PicturePoint, ScreenPoint } from './coordinates'

export interface PointerInput {
  point: PicturePoint
  screen: ScreenPoint
  shift: boolean
  alt: boolean
  /** Control, or command on a Mac. */
  ctrl: boolean
  /** How often the button was pressed in short time, 1 or more. */
  clicks: number
}

export type Go = (next: StateNode) => void

export interface StateNode {
  /** What tests and the status line call it, e.g. `drawing`. */
  readonly name: string
  onEnter?(): void
  /** Leaving for another state of the tool, or for another tool. */
  onExit?(): void
  onPointerDown?(input: PointerInput, go: Go): void
  onPointerMove?(input: PointerInput, go: Go): void
  onPointerUp?(input: PointerInput, go: Go): void
  /** Enter: what is being drawn is finished. Returns false when there was nothing to finish. */
  onComplete?(go: Go): boolean
  /** Escape: what is being done is dropped. Returns false when there was nothing to drop. */
  onCancel?(go: Go): boolean
  /** Backspace: the last point goes. Returns false when there was none. */
  onRemoveLast?(go: Go): boolean
  /** A switch of the tool by key, e.g. `hidden` while placing keypoints. Returns false when it means nothing here. */
  onSwitch?(name: string, go: Go): boolean
}

export class Machine {
  private node: StateNode

  constructor(private readonly initial: () => StateNode) {
    this.node = initial()
    this.node.onEnter?.()
  }

  get state(): string {
    return this.node.name
  }

  readonly go: Go = (next) => {
    this.node.onExit?.()
    this.node = next
    next.onEnter?.()
  }

  /** Drops what is being done: the tool is put away, or the picture changes. */
  reset(): void {
    this.go(this.initial())
  }

  pointerDown(input: PointerInput): void {
    this.node.onPointerDown?.(input, this.go)
  }

  pointerMove(input: PointerInput): void {
    this.node.onPointerMove?.(input, this.go)
  }

  pointerUp(input: PointerInput): void {
    this.node.onPointerUp?.(input, this.go)
  }

  complete(): boolean {
    return this.node.onComplete?.(this.go) ?? false
  }

  cancel(): boolean {
    return this.node.onCancel?.(this.go) ?? false
  }

  removeLast(): boolean {
    return this.node.onRemoveLast?.(this.go) ?? false
  }

  switch(name: string): boolean {
    return this.node.onSwitch?.(name, this.go) ?? false
  }
}
