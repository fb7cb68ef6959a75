/** What of the shapes on a picture came, went or changed between two states. Pure. */
import type { Label } from '../../../lib/api/types'
import type { DiffItem } from '../api/types'
import { boundsOf, type Outline, outlineOf, overlapOf, type Placed } from '../../../canvas/annotation-outline'

export type ShapeChange = 'added' | 'removed' | 'changed' | 'same'
export const SHAPE_CHANGES: readonly ShapeChange[] = ['added', 'removed', 'changed', 'same']

export interface DrawnShape extends Outline {
  change: ShapeChange
  /** Which state it belongs to; unchanged shapes belong to both. */
  side: 'before' | 'after'
  /** The label; of a shape that got another one, both. */
  words: string
  /** Its label alone, for small spaces. */
  label: string
}

export interface ChangeGroup {
  change: ShapeChange
  words: string
  count: number
}

interface Side {
  annotations: readonly Placed[] | null
  /** Places of what the other state does not have. */
  different: readonly number[]
}

interface Shape {
  one: Placed
  outline: Outline
}

/** A shape that lies elsewhere or is called otherwise is still the same object when it covers much of the same. */
const SAME_LABEL_FRACTION = 0.2
const OTHER_LABEL_FRACTION = 0.5

/** Shapes of both states: added, removed or changed. A changed object is drawn as before and as after. */
export function shapeChanges(before: Side, after: Side, labels: readonly Label[] = []): DrawnShape[] {
  const [gone, kept] = shapesOf(before, labels)
  const [come, still] = shapesOf(after, labels)
  const pairs = paired(gone, come)
  const matched = new Set([...pairs].flat())
  const drawn = (shape: Shape, change: ShapeChange, side: DrawnShape['side'], words = labelOf(shape)): DrawnShape => ({
    ...shape.outline,
    change,
    side,
    words,
    label: labelOf(shape),
  })
  return [
    ...kept.map((shape) => drawn(shape, 'same', 'before')),
    ...still.map((shape) => drawn(shape, 'same', 'after')),
    ...pairs.flatMap(([old, now]) => {
      const words = labelOf(old) === labelOf(now) ? labelOf(now) : `${labelOf(old)} → ${labelOf(now)}`
      return [drawn(old, 'changed', 'before', words), drawn(now, 'changed', 'after', words)]
    }),
    ...gone.filter((shape) => !matched.has(shape)).map((shape) => drawn(shape, 'removed', 'before')),
    ...come.filter((shape) => !matched.has(shape)).map((shape) => drawn(shape, 'added', 'after')),
  ]
}

/** The same for an item of a comparison; empty if it is no picture. */
export function shapesOfDiff({ before, after, gone, come, width_px }: DiffItem, labels: readonly Label[]): DrawnShape[] {
  if (width_px === null) return []
  return shapeChanges({ annotations: before, different: gone }, { annotations: after, different: come }, labels)
}

/** How many objects of each label came, went, changed and stayed. */
export function changeGroups(shapes: readonly DrawnShape[]): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>()
  for (const { change, side, words } of shapes) {
    // What is of both states is counted once.
    if (side === 'before' && change !== 'removed') continue
    const key = `${change} ${words}`
    groups.set(key, { change, words, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return SHAPE_CHANGES.flatMap((change) => [...groups.values()].filter((group) => group.change === change))
}

const labelOf = ({ one }: Shape): string => one.label ?? ''

/** Those that the other state does not have, and those that it has too. */
function shapesOf({ annotations, different }: Side, labels: readonly Label[]): [Shape[], Shape[]] {
  const places = new Set(different)
  const sides: [Shape[], Shape[]] = [[], []]
  annotations?.forEach((one, place) => {
    const outline = outlineOf(
      one,
      labels.find(({ name }) => name === one.label),
    )
    if (outline) sides[places.has(place) ? 0 : 1].push({ one, outline })
  })
  return sides
}

/** Objects that went and came as one: by their id, else those that overlap most. */
function paired(gone: readonly Shape[], come: readonly Shape[]): [Shape, Shape][] {
  const likely = gone
    .flatMap((old) => come.map((now) => ({ old, now, likeness: likenessOf(old, now) })))
    .filter(({ likeness }) => likeness > 0)
    .sort((one, other) => other.likeness - one.likeness)
  const taken = new Set<Shape>()
  return likely.flatMap(({ old, now }): [Shape, Shape][] => {
    if (taken.has(old) || taken.has(now)) return []
    taken.add(old).add(now)
    return [[old, now]]
  })
}

function likenessOf(old: Shape, now: Shape): number {
  if (old.one.kind !== now.one.kind) return 0
  // Parts of one polygon share an id, so that overlap decides between them.
  const overlap = overlapOf(boundsOf(old.outline), boundsOf(now.outline))
  if (old.one.id && old.one.id === now.one.id) return 2 + overlap
  const isSameLabel = labelOf(old) === labelOf(now)
  if (overlap < (isSameLabel ? SAME_LABEL_FRACTION : OTHER_LABEL_FRACTION)) return 0
  return overlap + (isSameLabel ? 1 : 0)
}
