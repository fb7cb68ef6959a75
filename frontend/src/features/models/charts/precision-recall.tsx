import { useTranslation } from 'react-i18next'

import { PrecisionRecall } from '../../../charts/precision-recall/precision-recall'
import { Section } from '../../../ui/section'
import type { ChartProps, ReportChart } from './chart'

/** What a higher or lower threshold would give. */
function Chart({ artefact, split }: ChartProps) {
  const { t } = useTranslation('report')
  if (split.precision_recall.length === 0) return null
  return (
    <Section title={t('precision_recall')} help={t('precision_recall_help')}>
      <PrecisionRecall curves={split.precision_recall} thresholds={artefact.manifest.thresholds} />
    </Section>
  )
}

export default { name: 'precision-recall', Chart } satisfies ReportChart
