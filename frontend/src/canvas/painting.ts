/** What one gesture paints: pixels of one mask, and those that others lose or keep by the rule for overlaps. One step of the history. */
import { grown } from './coordinates'
import type { Operation } from './document'
import type { Editor } from './editor'
import { type CanvasObject, makeId, type MaskObject, type PolygonObject } from './object'
import { sketchedWith, tilesOf, withTiles } from './shapes/mask/shape'
import { MaskTiles } from './shapes/mask/tiles'
import { maskInstead, pixelsOfPolygon } from './to-mask'

type Area = MaskObject | PolygonObject

const isArea = (object: CanvasObject | undefined): object is Area => object?.kind === 'mask' || object?.kind === 'polygon'

const pixelsOf = (object: Area, { width, height }: MaskTiles): MaskTiles =>
  object.kind === 'mask' ? tilesOf(object) : pixelsOfPolygon(object, width, height)

export class Painting {
  private readonly mask: MaskTiles
  private readonly object: MaskObject
  /** Others that lost pixels, by id. */
  private readonly robbed = new Map<string, { before: Area; mask: MaskTiles }>()

  /** @param target the mask that is painted on; null begins another one with the current label. */
  constructor(
    private readonly editor: Editor,
    private readonly target: MaskObject | null,
    fresh: Partial<MaskObject> = {},
  ) {
    const { width, height } = editor.viewport.picture
    this.mask = target ? tilesOf(target).copy() : new MaskTiles(width, height)
    this.object = target ?? { kind: 'mask', id: makeId(), label: editor.label, width, height, counts: '', ...fresh }
  }

  /** Paints an area; what others keep is taken off it. */
  add(area: MaskTiles): void {
    const others = this.othersAt(area)
    const keeps = (id: string) => this.editor.paint.overlap === 'keep' || !this.editor.appearance.isFree(id)
    for (const other of others) if (keeps(other.id)) area.remove(pixelsOf(other, area))
    for (const other of others) if (!keeps(other.id)) this.rob(other, area)
    this.mask.add(area)
  }

  remove(area: MaskTiles): void {
    this.mask.remove(area)
  }

  /** As it stands now: what is to be drawn in place of objects, and the new one. */
  sketch(): { drafts: Map<string, CanvasObject>; object?: MaskObject } {
    const drafts = new Map<string, CanvasObject>()
    for (const [id, { before, mask }] of this.robbed) drafts.set(id, sketchedWith(maskOf(before, mask, id), mask.copy()))
    const now = sketchedWith(this.object, this.mask.copy())
    if (!this.target) return { drafts, object: now }
    return { drafts: drafts.set(now.id, now) }
  }

  /**
   * Makes it so, and chooses the mask.
   * @param outline that is added in place of the mask, whose pixels it holds.
   */
  commit(outline?: PolygonObject): void {
    const { editor, target, mask } = this
    const operations = [...this.robbed].flatMap(([id, { before, mask: left }]) => this.afterLoss(id, before, left))
    if (outline) {
      if (editor.commit([...operations, { type: 'add', object: outline, above: editor.document.top }])) editor.selection.set([outline.id])
      return
    }
    const done = withTiles(this.object, mask.copy())
    if (target && mask.isEmpty) operations.push({ type: 'remove', id: target.id })
    else if (target) operations.push({ type: 'update', id: target.id, patch: { counts: done.counts } })
    else if (!mask.isEmpty) operations.push({ type: 'add', object: done, above: editor.document.top })
    if (editor.commit(operations) && !target && !mask.isEmpty) editor.selection.set([done.id])
  }

  private afterLoss(id: string, before: Area, left: MaskTiles): Operation[] {
    if (left.isEmpty) return [{ type: 'remove', id }]
    const object = withTiles(maskOf(before, left, makeId()), left.copy())
    if (before.kind === 'mask') return [{ type: 'update', id, patch: { counts: object.counts } }]
    return [
      { type: 'add', object, above: id },
      { type: 'remove', id },
    ]
  }

  private rob(other: Area, area: MaskTiles): void {
    const known = this.robbed.get(other.id)
    const pixels = known?.mask ?? pixelsOf(other, area)
    if (!pixels.meets(area)) return
    const mask = known?.mask ?? pixels.copy()
    mask.remove(area)
    this.robbed.set(other.id, { before: other, mask })
  }

  /** Whose pixels count: of everybody else's, or where a pixel has one label, those of other labels that would not be hidden anyway. */
  private othersAt(area: MaskTiles): Area[] {
    const { editor, object } = this
    const { document, index, paint } = editor
    const bounds = area.bounds()
    if (!bounds || paint.overlap === 'both' || paint.overlap === 'order') return []
    const level = this.target ? editor.level(object) : editor.level(object, document.size)
    const isHiddenAnyway = (other: Area) => other.kind === 'polygon' && paint.overlap === 'over' && editor.level(other) < level
    return index
      .search(grown(bounds, 1))
      .map((id) => document.get(id))
      .filter(isArea)
      .filter((other) => other.id !== object.id)
      .filter((other) => !paint.hasOneLabelAPixel || (other.label !== object.label && !isHiddenAnyway(other)))
  }
}

/** Adds an outline by the rule for overlaps: it stays one unless others keep pixels of it. One step of the history. */
export function addOutline(editor: Editor, outline: PolygonObject): void {
  const { width, height } = editor.viewport.picture
  const pixels = pixelsOfPolygon(outline, width, height)
  const painting = new Painting(editor, null, { ...maskInstead(outline, { width, height, counts: '' }), id: makeId() })
  const left = pixels.copy()
  painting.add(left)
  if (left.counts() === pixels.counts()) painting.commit(outline)
  else painting.commit()
}

const maskOf = (before: Area, { width, height }: MaskTiles, id: string): MaskObject =>
  before.kind === 'mask' ? before : { ...maskInstead(before, { width, height, counts: '' }), id }
