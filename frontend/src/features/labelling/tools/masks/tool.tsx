import type { Work } from '../../api/use-labelling-session'
import { DrawingTool } from '../../drawing/drawing-tool'
import type { LabellingTool } from '../tool'

const TOOLS = ['mask', 'eraser', 'fill', 'polygon', 'click_mask', 'wand', 'superpixels'] as const

/** A label for each pixel: areas that are painted, outlined or clicked. */
const Tool = (work: Work) => <DrawingTool work={work} tools={TOOLS} counted="masks.count" hasIgnoredAreas />

export default { name: 'masks', Tool } satisfies LabellingTool
