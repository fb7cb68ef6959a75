import type { Work } from '../../api/use-labelling-session'
import { DrawingTool } from '../../drawing/drawing-tool'
import type { LabellingTool } from '../tool'
import { LinesPanel } from './lines-panel'

const TOOLS = ['quad', 'polygon'] as const

/** Quadrilaterals around lines of text, with what each says. */
const Tool = (work: Work) => <DrawingTool work={work} tools={TOOLS} counted="text_lines.count" hasNames={false} Details={LinesPanel} />

export default { name: 'text-lines', Tool } satisfies LabellingTool
