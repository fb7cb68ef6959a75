import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { topText } from '../top-text'
import { JudgedCard, JudgedFacts, JudgedOverlay } from './judged'
import { Overlay } from './overlay'
import { Prediction } from './prediction'

export default {
  name: 'heat_map',
  annotation: 'class',
  outputs: ['heat_map'],
  lies: ({ heat_map }) => heat_map != null,
  input: 'pick',
  isOfWhole: true,
  hasLabels: true,
  hasUncertainty: true,
  format: formatFraction,
  text: ({ label }) => label ?? '',
  callText: topText,
  Overlay,
  Prediction,
  JudgedCard,
  JudgedFacts,
  JudgedOverlay,
} satisfies AnswerKind
