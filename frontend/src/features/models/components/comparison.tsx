import { Group, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { BarList } from '../../../charts/bar-list/bar-list'
import { formatFraction } from '../../../charts/format/format'
import { IntervalBars } from '../../../charts/interval-bars/interval-bars'
import { seriesColor } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { useLocalText } from '../../../lib/local-text'
import { Section } from '../../../ui/section'
import type { Artefact, MetricSpec, Pair, Report, SplitReport } from '../api/types'
import { classChanges, verdict } from '../model/comparison'
import { intervalOf, intervalRows } from '../model/metric-rows'
import { columnsByImportance } from '../model/row-report'
import { PairSection } from './pair-section'
import { ReportFacts } from './report-facts'

interface ComparisonProps {
  left: Artefact
  right: Artefact
  leftReport: Report
  rightReport: Report
  split: SplitReport['split']
  metrics: readonly MetricSpec[]
  /** Null where it could not be made. */
  pair: Pair | null
}

/** Two models on one split: metrics with their intervals, labels by how much they changed, facts. */
export function Comparison({ left, right, leftReport, rightReport, split, metrics, pair }: ComparisonProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const scheme = useScheme()
  const before = leftReport.splits.find((each) => each.split === split)
  const after = rightReport.splits.find((each) => each.split === split)
  if (!before || !after) return null
  const objective = metrics[0]
  const hasAmounts = objective?.unit === 'target'
  const names = { left: t('name', { number: left.number }), right: t('name', { number: right.number }) }
  const interval = (report: SplitReport) => intervalOf(report.intervals[objective?.name ?? ''])
  const outcome = verdict(interval(before), interval(after), objective?.is_higher_better ?? true)
  const metricsTitle = t('comparison.metrics', { split: t(`charts:split.${split}`) })
  const columns = rightReport.table ? columnsByImportance(rightReport.table) : undefined
  return (
    <>
      {pair && <PairSection left={left} right={right} split={split} pair={pair} columns={columns} />}
      <Section
        title={pair?.test ? metricsTitle : t(`comparison.verdict.${outcome}`, names)}
        help={pair?.test ? undefined : metricsTitle}
        actions={
          <Group gap="md">
            {[names.left, names.right].map((name, index) => (
              <Group key={name} gap={6}>
                <span style={{ width: 10, height: 10, borderRadius: 5, background: seriesColor(index, scheme) }} />
                <Text size="sm">{name}</Text>
              </Group>
            ))}
          </Group>
        }
      >
        {hasAmounts && <IntervalBars unit="amount" rows={intervalRows(metrics, [before, after], text, 'target')} />}
        <IntervalBars rows={intervalRows(metrics, [before, after], text)} />
      </Section>
      {before.per_class.length > 0 && (
        <Section title={t('comparison.per_class')}>
          <ClassChanges before={before} after={after} names={names} />
        </Section>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={names.left}>
          <ReportFacts artefact={left} report={leftReport} />
        </Section>
        <Section title={names.right}>
          <ReportFacts artefact={right} report={rightReport} />
        </Section>
      </SimpleGrid>
    </>
  )
}

interface ClassChangesProps {
  before: SplitReport
  after: SplitReport
  names: { left: string; right: string }
}

function ClassChanges({ before, after, names }: ClassChangesProps) {
  const { t } = useTranslation('models')
  const changes = classChanges(before.per_class, after.per_class)
  const fraction = { format: formatFraction, full: 1 }
  return (
    <BarList
      title={t('report.label')}
      columns={[
        { key: 'left', title: names.left, ...fraction },
        { key: 'right', title: names.right, ...fraction },
        { key: 'change', title: t('comparison.change'), format: signed, full: null, isSigned: true },
      ]}
      rows={changes.map(({ label, ...values }) => ({ key: label, title: label, values }))}
      initialSort={{ column: 'change', isDescending: false }}
    />
  )
}

function signed(value: number | null | undefined): string {
  return `${(value ?? 0) > 0 ? '+' : ''}${formatFraction(value)}`
}
