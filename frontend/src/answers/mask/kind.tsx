import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { ScoredBars } from '../scored-bars'
import { topText } from '../top-text'
import { JudgedCard } from './judged-card'
import { JudgedFacts } from './judged-facts'
import { JudgedOverlay } from './judged-overlay'
import { Overlay } from '../area-overlay'

export default {
  name: 'mask',
  annotation: 'mask',
  outputs: ['mask'],
  drawn: ['mask', 'polygon'],
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
  JudgedFacts,
  JudgedOverlay,
} satisfies AnswerKind
