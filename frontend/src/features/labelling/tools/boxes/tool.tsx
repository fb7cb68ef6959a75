import type { Work } from '../../api/use-labelling-session'
import { DrawingTool } from '../../drawing/drawing-tool'
import type { LabellingTool } from '../tool'

const TOOLS = ['box'] as const

/** Boxes around the things in a picture. */
const Tool = (work: Work) => <DrawingTool work={work} tools={TOOLS} counted="boxes.count" />

export default { name: 'boxes', Tool } satisfies LabellingTool
