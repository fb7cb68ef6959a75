import { SimpleGrid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { IntervalBars } from '../../../charts/interval-bars/interval-bars'
import { useLocalText } from '../../../lib/local-text'
import { Section } from '../../../ui/section'
import { DistillationFacts } from '../components/distillation-facts'
import { ReportFacts } from '../components/report-facts'
import { intervalRows } from '../model/metric-rows'
import type { ChartProps, ReportChart } from './chart'

/** All figures with their intervals, and what the model costs. */
function Chart({ artefact, report, split, metrics }: ChartProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const amounts = intervalRows(metrics, [split], text, 'target')
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={t('report:metrics')} help={t('report:metrics_help')}>
          <Stack gap="sm">
            {amounts.length > 0 && <IntervalBars unit="amount" rows={amounts} />}
            <IntervalBars rows={intervalRows(metrics, [split], text)} />
          </Stack>
        </Section>
        <Section title={t('report:facts')}>
          <ReportFacts artefact={artefact} report={report} />
        </Section>
      </SimpleGrid>
      {report.distillation && (
        <Section title={t('distill.section')} help={t('distill.section_help')}>
          <DistillationFacts artefact={artefact} distillation={report.distillation} />
        </Section>
      )}
    </>
  )
}

export default { name: 'summary', Chart } satisfies ReportChart
