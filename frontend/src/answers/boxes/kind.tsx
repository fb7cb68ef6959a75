import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { ScoredBars } from '../scored-bars'
import { topText } from '../top-text'
import { explainedBoxes } from './explained'
import { JudgedCard } from './judged-card'
import { JudgedFacts } from './judged-facts'
import { NamedOverlay } from './judged-overlay'
import { Overlay } from './overlay'

export default {
  name: 'boxes',
  annotation: 'box',
  outputs: ['boxes'],
  input: 'draw',
  isOfWhole: false,
  hasLabels: true,
  hasUncertainty: true,
  explained: explainedBoxes,
  format: formatFraction,
  text: ({ label }) => label ?? '',
  callText: topText,
  Overlay,
  Prediction: ScoredBars,
  JudgedCard,
  JudgedFacts,
  JudgedOverlay: NamedOverlay,
} satisfies AnswerKind
