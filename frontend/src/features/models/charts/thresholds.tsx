import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { Section } from '../../../ui/section'
import { ThresholdPanel } from '../components/threshold-panel'
import { isPair, thresholdTables } from '../model/threshold-counts'
import type { ChartProps, ReportChart } from './chart'

/** What another threshold would give, and the model's own. If exactly one of several labels applies, the best is predicted. */
function Chart({ artefact, report, split, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  const { isOfWhole } = useAnswerKind()
  const hasPair = isPair(report.labels, split)
  if (!hasPair && Object.keys(artefact.manifest.thresholds).length === 0) return null
  const tables = thresholdTables(split, isOfWhole)
  if (tables.length === 0) return null
  const validation = report.splits.find((each) => each.split === 'validation')
  return (
    <Section title={t('threshold.title')} help={t(hasPair ? 'threshold.help_pair' : 'threshold.help')}>
      <ThresholdPanel
        artefact={artefact}
        labels={report.labels}
        hasPair={hasPair}
        tables={tables}
        chosenOn={validation ? thresholdTables(validation, isOfWhole) : []}
        onItems={isOfWhole && (hasPair || report.labels.length <= LISTED_LABELS) ? onItems : null}
      />
    </Section>
  )
}

/** Of more labels a report does not keep all scores of each item. */
const LISTED_LABELS = 5

export default { name: 'thresholds', Chart } satisfies ReportChart
