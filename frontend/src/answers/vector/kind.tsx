import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { JudgedCard, JudgedFacts } from './judged'
import { Prediction } from './prediction'

export default {
  name: 'vector',
  annotation: 'class',
  outputs: ['vector'],
  input: 'pick',
  isOfWhole: true,
  hasLabels: true,
  hasUncertainty: false,
  format: formatFraction,
  text: ({ label }) => label ?? '',
  callText: () => '',
  Prediction,
  JudgedCard,
  JudgedFacts,
} satisfies AnswerKind
