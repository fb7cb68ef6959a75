import { useTranslation } from 'react-i18next'

import { Section } from '../../../ui/section'
import { CoveragePanel } from '../components/coverage-panel'
import { IntervalPanel } from '../components/interval-panel'
import { limitsSetBy } from '../model/coverage'
import type { ChartProps, ReportChart } from './chart'

/** When to ask a person, or how far off a number may be, with how often that holds on items held back. */
function Chart({ artefact, report, split, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  const { coverage } = report
  if (!coverage) return null
  const count = coverage.num_calibrated
  const setBy = limitsSetBy(report)
  if (coverage.numbers.length > 0)
    return (
      <Section title={t('coverage.interval')} help={t('coverage.interval_help', { count })}>
        <IntervalPanel artefact={artefact} lines={coverage.numbers} setBy={setBy} />
      </Section>
    )
  // Of more labels a report does not keep all scores of each item.
  const isListed = (scope: 'all' | 'label') => split.split === 'test' && (scope === 'all' || report.labels.length <= LISTED_LABELS)
  return (
    <Section title={t('coverage.title')} help={t('coverage.help', { count })}>
      <CoveragePanel artefact={artefact} lines={coverage.labels} setBy={setBy} isListed={isListed} onItems={onItems} />
    </Section>
  )
}

const LISTED_LABELS = 5

export default { name: 'coverage', Chart } satisfies ReportChart
