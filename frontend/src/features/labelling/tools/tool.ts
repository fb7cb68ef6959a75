/** What each labelling tool provides. */
import type { ComponentType } from 'react'

import type { Task } from '../../../lib/api/types'
import type { Work } from '../api/use-labelling-session'

export type ToolName = Task['ui']['labelling_tool']

/** The default export of `tools/<name>/tool.tsx`, found by listing. */
export interface LabellingTool {
  name: ToolName
  Tool: ComponentType<Work>
}
