import { SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { BarList } from '../../../charts/bar-list/bar-list'
import { formatFraction } from '../../../charts/format/format'
import { Section } from '../../../ui/section'
import type { Artefact, Pair, Report, SplitReport } from '../api/types'
import { classChanges } from '../model/comparison'
import { columnsByImportance } from '../model/row-report'
import { PairSection } from './pair-section'
import { ReportFacts } from './report-facts'

interface ComparisonProps {
  left: Artefact
  right: Artefact
  leftReport: Report
  rightReport: Report
  split: SplitReport['split']
  /** Null where it could not be made. */
  pair: Pair | null
}

/** Two models on one split: what one fixes and breaks of the other, labels by how much they changed, facts. */
export function Comparison({ left, right, leftReport, rightReport, split, pair }: ComparisonProps) {
  const { t } = useTranslation('models')
  const before = leftReport.splits.find((each) => each.split === split)
  const after = rightReport.splits.find((each) => each.split === split)
  if (!before || !after) return null
  const names = { left: t('name', { number: left.number }), right: t('name', { number: right.number }) }
  const columns = rightReport.table ? columnsByImportance(rightReport.table) : undefined
  return (
    <>
      {pair && <PairSection left={left} right={right} split={split} pair={pair} columns={columns} />}
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
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('comparison.per_class_few')}
      </Text>
    )
  }
  return (
    <BarList
      title={t('report:label')}
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
