import { useTranslation } from 'react-i18next'

import { ConfusionMatrix } from '../../../charts/confusion-matrix/confusion-matrix'
import { Section } from '../../../ui/section'
import type { ChartProps, ReportChart } from './chart'

/** Which label was taken for which; each cell leads to its items. */
function Chart({ report, split, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  if (split.confusion.length === 0) return null
  return (
    <Section title={t('confusion')}>
      <ConfusionMatrix
        labels={report.labels}
        confusion={split.confusion}
        onSelect={({ truth, answer }) => {
          const [given, predicted] = [report.labels[truth], report.labels[answer]]
          if (given !== undefined && predicted !== undefined) onItems({ kind: 'cell', truth: given, answer: predicted })
        }}
      />
    </Section>
  )
}

export default { name: 'confusion', Chart } satisfies ReportChart
