import { useTranslation } from 'react-i18next'

import { Section } from '../../../ui/section'
import { Leaderboard } from '../components/rows/leaderboard'
import type { ChartProps, ReportChart } from './chart'

/** The models that were trained, and how much of each is in the one that is shipped. */
function Chart({ report, metrics }: ChartProps) {
  const { t } = useTranslation('report')
  if (!report.table) return null
  return (
    <Section title={t('rows.leaderboard')} help={t('rows.leaderboard_help')}>
      <Leaderboard models={report.table.models} objective={metrics[0]} />
    </Section>
  )
}

export default { name: 'leaderboard', Chart } satisfies ReportChart
