import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { ScoredBars } from '../scored-bars'
import { topText } from '../top-text'
import { explainedLabels } from './explained'
import { JudgedCard, JudgedCells, JudgedFacts } from './judged'

export default {
  name: 'scores',
  annotation: 'class',
  outputs: ['class_scores', 'label_scores'],
  input: 'pick',
  isOfWhole: true,
  hasLabels: true,
  hasUncertainty: true,
  isAveraged: true,
  target: { kinds: ['number', 'category'], text: 'target.text_category' },
  explained: explainedLabels,
  format: formatFraction,
  text: ({ label }) => label ?? '',
  callText: topText,
  truthExample: '"label": "..."',
  Prediction: ScoredBars,
  JudgedCard,
  JudgedFacts,
  judgedRow: { title: 'items.score', Cells: JudgedCells },
} satisfies AnswerKind
