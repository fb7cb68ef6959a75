import type { Work } from '../../api/use-labelling-session'
import { DrawingTool } from '../../drawing/drawing-tool'
import type { LabellingTool } from '../tool'

const TOOLS = ['polygon', 'click_mask', 'mask', 'eraser', 'fill', 'wand', 'superpixels'] as const

/** Single objects with their pixels: each is outlined, clicked or painted by itself. */
const Tool = (work: Work) => <DrawingTool work={work} tools={TOOLS} counted="objects.count" />

export default { name: 'objects', Tool } satisfies LabellingTool
