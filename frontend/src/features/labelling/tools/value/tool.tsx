import { useAnswerKind } from '../../../../answers'
import type { Work } from '../../api/use-labelling-session'
import classPicker from '../class-picker/tool'
import type { LabellingTool } from '../tool'
import { NumberView } from './number-view'

/** The target of a row: a label is picked, a number is written. */
function Tool(work: Work) {
  return useAnswerKind().input === 'write' ? <NumberView {...work} /> : <classPicker.Tool {...work} />
}

export default { name: 'value', Tool } satisfies LabellingTool
