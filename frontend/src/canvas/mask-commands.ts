/** What is done to chosen masks at once: holes filled, pieces made objects, several joined. Each is one step of the history. */
import { chosen } from './commands'
import type { Operation } from './document'
import type { Editor } from './editor'
import { type CanvasObject, makeId, type MaskObject, type PolygonObject } from './object'
import { fillHoles, piecesOf } from './shapes/mask/regions'
import { tilesOf, withTiles } from './shapes/mask/shape'
import { MaskTiles } from './shapes/mask/tiles'
import { maskInstead, pixelsOfPolygon } from './to-mask'

const isMask = (object: CanvasObject): object is MaskObject => object.kind === 'mask'
const isArea = (object: CanvasObject): object is MaskObject | PolygonObject => object.kind === 'mask' || object.kind === 'polygon'

const free = (editor: Editor): CanvasObject[] => chosen(editor).filter(({ id }) => editor.appearance.isFree(id))

/** Fills all that a mask encloses by itself. */
export function fillHolesOfChosen(editor: Editor): void {
  editor.commit(
    free(editor)
      .filter(isMask)
      .map((mask): Operation => {
        const tiles = tilesOf(mask).copy()
        fillHoles(tiles)
        return { type: 'update', id: mask.id, patch: { counts: withTiles(mask, tiles).counts } }
      }),
  )
}

/** Makes an object of each piece of a mask; the largest stays what it was. */
export function splitChosen(editor: Editor): void {
  const made: string[] = []
  const operations = free(editor)
    .filter(isMask)
    .flatMap((mask): Operation[] => {
      const [largest, ...others] = piecesOf(tilesOf(mask))
      if (!largest || others.length === 0) return []
      made.push(mask.id)
      let above = mask.id
      const added = others.map((tiles): Operation => {
        const object = withTiles({ ...mask, id: makeId() }, tiles)
        const operation: Operation = { type: 'add', object, above }
        made.push(object.id)
        above = object.id
        return operation
      })
      return [{ type: 'update', id: mask.id, patch: { counts: withTiles(mask, largest).counts } }, ...added]
    })
  if (editor.commit(operations)) editor.selection.set(made)
}

/** Makes one mask of the chosen masks and polygons of each label. */
export function joinChosen(editor: Editor): void {
  const areas = free(editor).filter(isArea)
  const made: string[] = []
  const operations = [...new Set(areas.map(({ label }) => label))].flatMap((label): Operation[] => {
    const objects = areas.filter((object) => object.label === label)
    if (objects.length < 2) return []
    const joined = withTiles(...joinedOf(editor, objects))
    made.push(joined.id)
    const gone = objects.filter(({ id }) => id !== joined.id).map(({ id }): Operation => ({ type: 'remove', id }))
    if (objects.some(({ id }) => id === joined.id)) {
      return [{ type: 'update', id: joined.id, patch: { counts: joined.counts } }, ...gone]
    }
    return [{ type: 'add', object: joined, above: objects.at(-1)?.id ?? null }, ...gone]
  })
  if (editor.commit(operations)) editor.selection.set(made)
}

/** The topmost mask, or a mask in place of the topmost polygon, and the pixels of all. */
function joinedOf(editor: Editor, objects: readonly (MaskObject | PolygonObject)[]): [MaskObject, MaskTiles] {
  const { width, height } = editor.viewport.picture
  const tiles = new MaskTiles(width, height)
  for (const object of objects) tiles.add((object.kind === 'mask' ? tilesOf(object) : pixelsOfPolygon(object, width, height)).copy())
  const mask = objects.findLast((object) => object.kind === 'mask')
  return [mask ?? maskInstead(objects.at(-1) as PolygonObject, { width, height, counts: '' }), tiles]
}
