/**
 * What stands on the canvas: the contract's primitives, each with an id, so that changes can be matched and merged.
 *
 * One thing differs from the wire: polygons with one id are parts of one object, so here they are one value with `parts`.
 */
import type { Annotation, AttributeValue, Box, Keypoints, Mask, Polyline, RotatedBox } from '../lib/api/types'

export type Tuple = [number, number]

type Drawn<A> = Omit<A, 'id'> & { id: string }

export interface PolygonPart {
  points: Tuple[]
  holes: Tuple[][]
}

export interface PolygonObject {
  kind: 'polygon'
  id: string
  label: string
  attributes?: AttributeValue[]
  score?: number | null
  parts: PolygonPart[]
}

export type BoxObject = Drawn<Box>
export type RotatedBoxObject = Drawn<RotatedBox>
export type PolylineObject = Drawn<Polyline>
export type MaskObject = Drawn<Mask>
export type KeypointsObject = Drawn<Keypoints>

export type CanvasObject = BoxObject | RotatedBoxObject | PolygonObject | PolylineObject | MaskObject | KeypointsObject
export type Kind = CanvasObject['kind']

const KINDS: ReadonlySet<string> = new Set<Kind>(['box', 'rotated_box', 'polygon', 'polyline', 'mask', 'keypoints'])

/** A name for a new object, unlike any other in the world. */
export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15))
  return `obj_${Array.from(bytes, (byte) => (byte % 36).toString(36)).join('')}`
}

/**
 * Splits an item's annotations into what the canvas draws, in order, and the rest (classes, texts ...), untouched.
 *
 * Objects without an id get one; an id that two different objects carry is kept by the first.
 */
export function objectsFrom(annotations: readonly Annotation[], newId = makeId): { objects: CanvasObject[]; rest: Annotation[] } {
  const objects = new Map<string, CanvasObject>()
  const rest: Annotation[] = []
  for (const annotation of annotations) {
    if (!KINDS.has(annotation.kind)) {
      rest.push(annotation)
      continue
    }
    const known = annotation.kind === 'polygon' && annotation.id ? objects.get(annotation.id) : undefined
    if (annotation.kind === 'polygon' && known?.kind === 'polygon' && known.label === annotation.label) {
      known.parts.push(partOf(annotation))
      continue
    }
    const id = annotation.id && !objects.has(annotation.id) ? annotation.id : newId()
    objects.set(id, fromAnnotation(annotation, id))
  }
  return { objects: [...objects.values()], rest }
}

const partOf = (polygon: { points: number[][]; holes?: number[][][] }): PolygonPart => ({
  points: polygon.points as Tuple[],
  holes: (polygon.holes ?? []) as Tuple[][],
})

function fromAnnotation(annotation: Annotation, id: string): CanvasObject {
  if (annotation.kind !== 'polygon') return { ...annotation, id } as CanvasObject
  const { points, holes, ...common } = annotation
  return { ...common, id, parts: [partOf({ points, holes })] }
}

/** The primitives of the objects, in order: what is stored. */
export function annotationsFrom(objects: readonly CanvasObject[]): Annotation[] {
  return objects.flatMap((object): Annotation[] => {
    if (object.kind !== 'polygon') return [object]
    const { parts, ...common } = object
    return parts.map((part) => ({ ...common, ...part }))
  })
}
