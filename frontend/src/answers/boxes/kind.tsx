import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { ScoredBars } from '../scored-bars'
import { topText } from '../top-text'
import { JudgedCard } from './judged-card'
import { Overlay } from './overlay'

export default {
  name: 'boxes',
  annotation: 'box',
  input: 'draw',
  isOfWhole: false,
  hasLabels: true,
  hasUncertainty: true,
  format: formatFraction,
  text: ({ label }) => label ?? '',
  callText: topText,
  Overlay,
  Prediction: ScoredBars,
  JudgedCard,
} satisfies AnswerKind
