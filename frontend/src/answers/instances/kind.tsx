import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { ScoredBars } from '../scored-bars'
import { topText } from '../top-text'
import { explainedObjects } from './explained'
import { JudgedCard } from './judged-card'
import { JudgedFacts } from './judged-facts'
import { JudgedOverlay } from './judged-overlay'

/** Single objects with their pixels. They are masks, which the kind `mask` draws, each by itself. */
export default {
  name: 'instances',
  annotation: 'mask',
  outputs: ['instances'],
  input: 'draw',
  isOfWhole: false,
  hasLabels: true,
  hasUncertainty: true,
  explained: explainedObjects,
  format: formatFraction,
  text: ({ label }) => label ?? '',
  callText: topText,
  Prediction: ScoredBars,
  JudgedCard,
  JudgedFacts,
  JudgedOverlay,
} satisfies AnswerKind
