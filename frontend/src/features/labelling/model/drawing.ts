/**
 * Puts the annotations of a picture onto the canvas and turns what is drawn there into annotations; one gesture is one change. No React.
 *
 * The canvas keeps its own history of the picture. What comes from elsewhere is laid onto it change by change, so that a stroke
 * that is being drawn and the way back stay.
 */
import type { ItemAnnotations } from '../../../answers/annotations'
import { type CanvasDocument, type Operation, patchBetween } from '../../../canvas/document'
import type { Editor as Canvas } from '../../../canvas/editor'
import { broughtWithin } from '../../../canvas/move'
import { annotationsFrom, type CanvasObject, makeId, objectsFrom } from '../../../canvas/object'
import type { Annotation, Item } from '../../../lib/api/types'
import { contentId } from './content-id'
import { isAlike, type Shown } from './operation'

type Pictured = Pick<Item, 'id' | 'media'>

export class Drawing {
  #item: string | null = null
  /** What the canvas does not draw, untouched. */
  #rest: Annotation[] = []
  /** Objects that came without a name, as long as nobody has changed them. */
  #nameless = new Map<string, { object: CanvasObject; annotation: Annotation }>()
  /** The annotations while there is no object: null (nobody looked) or empty. */
  #whenEmpty: ItemAnnotations = null
  #suggested: CanvasObject[] = []
  #suggestedBy: string | null = null
  #atLeast = 0
  /** Objects that are suggested and not taken, also those that are not sure enough to be shown. */
  numSuggested = 0

  /** @param onChange gets the annotations after each gesture, and the proposals shown then */
  constructor(
    readonly canvas: Canvas,
    private readonly onChange: (annotations: ItemAnnotations, shown: Shown | null) => void,
  ) {
    canvas.onOperations((_, origin) => {
      if (origin === 'local') this.#notify(this.#words())
      this.#propose()
    })
  }

  /** Shows the annotations of a picture: of another one anew, of the same one what has changed. */
  show(item: Pictured, annotations: ItemAnnotations): void {
    const objects = this.#read(annotations)
    if (item.id === this.#item) {
      const steps = stepsTo(this.canvas.document, objects)
      if (steps.length) this.canvas.applyRemote(steps)
      return
    }
    this.#item = item.id
    this.#suggested = []
    this.canvas.open({ width: item.media.width ?? 1, height: item.media.height ?? 1 }, objects)
    this.#propose()
  }

  /** What a model suggests: what is not taken yet, of boxes as sure as that, 0..1, is drawn dashed. */
  suggest(suggestion: Shown | null, atLeast: number): void {
    this.#suggested = objectsFrom((suggestion?.annotations ?? []).map(named)).objects
    this.#suggestedBy = suggestion?.by ?? null
    this.#atLeast = atLeast
    this.#propose()
  }

  /** All that is proposed, as the person's own. */
  acceptAll(): void {
    this.canvas.add(...this.canvas.proposals)
  }

  /** Puts copies of another picture's objects here, but for those that are here already; returns how many. */
  copy(annotations: ItemAnnotations): number {
    const bare = (object: CanvasObject) => ({ ...object, id: null, score: null })
    const here = this.canvas.document.objects().map(bare)
    const copies = objectsFrom(annotations ?? [])
      .objects.map((object) => broughtWithin(object, this.canvas.viewport.pictureBounds))
      .filter((object) => !here.some((other) => isAlike(other, bare(object))))
      .map((object) => ({ ...object, id: makeId() }))
    this.canvas.add(...copies)
    return copies.length
  }

  /** Says that the picture holds nothing. */
  nothing(): void {
    this.#empty([])
  }

  /** Takes back that anybody looked. */
  clear(): void {
    this.#empty(null)
  }

  /** Makes an earlier state the present one; one step to undo. */
  become(annotations: ItemAnnotations): void {
    const steps = stepsTo(this.canvas.document, this.#read(annotations))
    if (steps.length) this.canvas.commit(steps)
    else this.#notify(annotations)
  }

  #notify(annotations: ItemAnnotations): void {
    const proposed = annotationsFrom(this.canvas.proposals)
    this.onChange(annotations, this.#suggestedBy && proposed.length ? { by: this.#suggestedBy, annotations: proposed } : null)
  }

  #empty(annotations: null | []): void {
    if (this.canvas.isReadOnly) return
    this.#whenEmpty = annotations
    this.#rest = []
    if (this.canvas.document.size === 0) this.#notify(annotations)
    else this.canvas.commit(this.canvas.document.order.map((id) => ({ type: 'remove', id })))
  }

  #read(annotations: ItemAnnotations): CanvasObject[] {
    const all = annotations ?? []
    const { objects, rest } = objectsFrom(all.map(named))
    const bare = all.filter(({ id }) => id == null)
    const byId = new Map(objects.map((object) => [object.id, object]))
    this.#rest = rest
    this.#nameless = new Map(
      bare.flatMap((annotation) => {
        const object = byId.get(contentId(annotation))
        return object ? [[object.id, { object, annotation }] as const] : []
      }),
    )
    if (objects.length === 0) this.#whenEmpty = annotations === null ? null : []
    return objects
  }

  #words(): ItemAnnotations {
    const objects = this.canvas.document.objects()
    if (objects.length === 0 && this.#rest.length === 0) return this.#whenEmpty
    const drawn = objects.flatMap((object): Annotation[] => {
      const known = this.#nameless.get(object.id)
      return known && isAlike(known.object, object) ? [known.annotation] : annotationsFrom([object])
    })
    return [...this.#rest, ...drawn]
  }

  #propose(): void {
    const { document, proposals } = this.canvas
    const open = this.#suggested.filter(({ id }) => !document.get(id))
    const shown = open.filter(({ score }) => (score ?? 1) >= this.#atLeast)
    if (open.length === this.numSuggested && isAlike(shown, proposals)) return
    this.numSuggested = open.length
    this.canvas.propose(shown)
  }
}

/** What came without a name is named after its content: two people who look at it mean the same object. */
const named = (annotation: Annotation): Annotation => (annotation.id == null ? { ...annotation, id: contentId(annotation) } : annotation)

/** The changes that lead from what is drawn to these objects. */
export function stepsTo(document: CanvasDocument, objects: readonly CanvasObject[]): Operation[] {
  const targetIds = new Set(objects.map(({ id }) => id))
  const steps: Operation[] = document.order.filter((id) => !targetIds.has(id)).map((id) => ({ type: 'remove', id }))
  const order = document.order.filter((id) => targetIds.has(id))
  let above: string | null = null
  for (const [place, object] of objects.entries()) {
    const { id } = object
    const now = document.get(id)
    if (now) {
      const patch = patchBetween(now, object)
      if (Object.keys(patch).length) steps.push({ type: 'update', id, patch })
      if (order[place] !== id) {
        steps.push({ type: 'reorder', id, above })
        order.splice(order.indexOf(id), 1)
        order.splice(place, 0, id)
      }
    } else {
      steps.push({ type: 'add', object, above })
      order.splice(place, 0, id)
    }
    above = id
  }
  return steps
}
