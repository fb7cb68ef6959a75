import { formatAmount } from '../../charts/format/format'
import type { AnswerKind, LoggedCall } from '../kind'
import { valueOf } from './error'
import { ErrorsInWords } from './errors-in-words'
import { JudgedCard, JudgedCells, JudgedFacts } from './judged'
import { Prediction } from './prediction'

const callText = ({ values }: LoggedCall) =>
  (values ?? [])
    .filter((value) => value !== null)
    .map((value) => formatAmount(value))
    .join(', ')

export default {
  name: 'number',
  annotation: 'value',
  outputs: ['number'],
  unit: 'target',
  input: 'write',
  isOfWhole: false,
  hasLabels: false,
  hasUncertainty: false,
  target: { kinds: ['number'], text: 'target.text_number' },
  explained: () => [{ label: null }],
  format: formatAmount,
  text: (annotation) => formatAmount(valueOf([annotation])),
  callText,
  truthExample: '"value": 12.5',
  Prediction,
  JudgedCard,
  JudgedFacts,
  spread: ({ regression }) => regression?.truth_std ?? null,
  ErrorsInWords,
  judgedRow: { title: 'rows.error', Cells: JudgedCells },
} satisfies AnswerKind
