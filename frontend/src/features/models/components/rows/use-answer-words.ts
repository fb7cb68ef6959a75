import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction } from '../../../../charts/format/format'

/** What an answer of a model of tables is called, and how it is written: the score of a label, or a number where there are no labels. */
export function useAnswerWords(labels: readonly string[], output: number): { answer: string; format: (value: number) => string } {
  const { t } = useTranslation('report')
  if (labels.length === 0) return { answer: t('rows.answer_number'), format: formatAmount }
  return { answer: t('rows.answer_label', { label: labels[output] ?? '' }), format: formatFraction }
}
