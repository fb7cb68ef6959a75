/** Shapes and tools, found by listing the folders: `shapes/<name>/{shape,tool}.ts`, `tools/<name>/tool.ts` for those that draw nothing. */
import type { CanvasObject, Kind } from '../object'
import type { AnyShape, Tool } from '../shape'

const shapeFiles = import.meta.glob<{ default: AnyShape }>('./*/shape.ts', { eager: true })
const toolFiles = import.meta.glob<{ default: Tool }>(['./*/tool.ts', '../tools/*/tool.ts'], { eager: true })

const SHAPES = new Map<Kind, AnyShape>(Object.values(shapeFiles).map((file) => [file.default.kind, file.default]))

/** In the order of the toolbar. */
export const TOOLS: readonly Tool[] = Object.values(toolFiles)
  .map((file) => file.default)
  .sort((one, other) => one.order - other.order)

export function shapeOf(object: Pick<CanvasObject, 'kind'>): AnyShape {
  const shape = SHAPES.get(object.kind)
  if (!shape) throw new Error(`no shape ${object.kind}; known: ${[...SHAPES.keys()].join(', ')}`)
  return shape
}

export function toolNamed(name: string): Tool {
  const tool = TOOLS.find((each) => each.name === name)
  if (!tool) throw new Error(`no tool ${name}; known: ${TOOLS.map((each) => each.name).join(', ')}`)
  return tool
}
