/** The labelling tools, found by listing the folders beside this file. */
import type { LabellingTool, ToolName } from './tool'

const files = import.meta.glob<{ default: LabellingTool }>('./*/tool.tsx', { eager: true })

const TOOLS = new Map(Object.values(files).map(({ default: tool }) => [tool.name, tool]))

export function toolNamed(name: ToolName): LabellingTool {
  const tool = TOOLS.get(name)
  if (!tool) throw new Error(`no labelling tool ${name}; known: ${[...TOOLS.keys()].join(', ')}`)
  return tool
}
