/** A click into a hole of a mask fills it, one into what is painted all around gets the label at hand; a polygon becomes a mask. */
import type { Editor } from '../../editor'
import { objectsAt } from '../../hit-test'
import type { MaskObject } from '../../object'
import { Painting } from '../../painting'
import type { Tool } from '../../shape'
import { enclosedAt } from '../../shapes/mask/fill'
import { areaOf, holds, holesOf, maskOf } from '../../shapes/mask/regions'
import { tilesOf } from '../../shapes/mask/shape'
import { maskToGoOn } from '../../shapes/mask/stroke'
import { MaskTiles } from '../../shapes/mask/tiles'
import type { PointerInput, StateNode } from '../../state-node'
import { pixelsOfPolygon, polygonToMask } from '../../to-mask'

const idle = (editor: Editor): StateNode => ({
  name: 'idle',
  onPointerDown: ({ point }: PointerInput) => {
    const { x, y } = { x: Math.floor(point.x), y: Math.floor(point.y) }
    if (masksAround(editor, x, y).some((mask) => filled(editor, mask, x, y))) return
    const under = objectsAt(editor, point).map((id) => editor.document.get(id))
    const polygon = under.find((object) => object?.kind === 'polygon')
    if (polygon) polygonToMask(editor, [polygon.id])
    else if (under.length === 0) fillBetween(editor, x, y)
  },
})

/** Masks with the label at hand whose bounds hold the point; the chosen one first, then from the top. */
function masksAround(editor: Editor, x: number, y: number): MaskObject[] {
  return editor.index
    .search({ minX: x, minY: y, maxX: x, maxY: y })
    .flatMap((id) => editor.document.get(id) ?? [])
    .filter((object): object is MaskObject => object.kind === 'mask' && editor.appearance.isFree(object.id))
    .filter(({ id, label }) => label === editor.label || editor.selection.has(id))
    .sort((one, other) => rank(editor, other) - rank(editor, one))
}

const rank = (editor: Editor, { id }: MaskObject) => (editor.selection.has(id) ? Infinity : editor.document.place(id))

function filled(editor: Editor, mask: MaskObject, x: number, y: number): boolean {
  const tiles = tilesOf(mask)
  const hole = tiles.has(x, y) ? undefined : holesOf(tiles).find((runs) => holds(runs, x, y))
  if (!hole || areaOf(hole) === 0) return false
  paintOn(editor, mask, maskOf(hole, tiles))
  editor.selection.set([mask.id])
  return true
}

/** What all that is drawn encloses together, or with the picture's border. */
function fillBetween(editor: Editor, x: number, y: number): void {
  const { width, height } = editor.viewport.picture
  if (x < 0 || y < 0 || x >= width || y >= height) return
  const drawn = new MaskTiles(width, height)
  for (const object of editor.document.objects()) {
    if (editor.appearance.isHidden(object.id)) continue
    if (object.kind === 'mask') drawn.add(tilesOf(object).copy())
    else if (object.kind === 'polygon') drawn.add(pixelsOfPolygon(object, width, height).copy())
  }
  const area = enclosedAt(drawn, x, y)
  if (area) paintOn(editor, maskToGoOn(editor), area)
}

function paintOn(editor: Editor, target: MaskObject | null, area: MaskTiles): void {
  const painting = new Painting(editor, target)
  painting.add(area)
  painting.commit()
}

export default { name: 'fill', order: 18, makes: 'mask', start: idle } satisfies Tool
