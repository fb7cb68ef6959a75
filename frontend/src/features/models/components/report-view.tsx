import { Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { BarList } from '../../../charts/bar-list/bar-list'
import { ConfusionMatrix } from '../../../charts/confusion-matrix/confusion-matrix'
import { formatAmount, formatFraction } from '../../../charts/format/format'
import { IntervalBars } from '../../../charts/interval-bars/interval-bars'
import { LearningCurves } from '../../../charts/learning-curves/learning-curves'
import { PrecisionRecall } from '../../../charts/precision-recall/precision-recall'
import { useLocalText } from '../../../lib/local-text'
import { EmptyState } from '../../../ui/empty-state'
import { Section } from '../../../ui/section'
import type { Artefact, MetricSpec, Report, SplitReport } from '../api/types'
import type { ItemsView } from '../model/items-query'
import { classRows } from '../model/class-rows'
import { intervalRows } from '../model/metric-rows'
import { columnsByImportance } from '../model/row-report'
import { DistillationFacts } from './distillation-facts'
import { ItemsDrawer } from './items-drawer'
import { JudgedItems } from './judged-items'
import { ReportFacts } from './report-facts'
import { ReportHeadline } from './report-headline'
import { NumberFit } from './rows/number-fit'
import { RowReport } from './rows/row-report'
import { RowScores } from './rows/row-scores'
import { ShippedFacts, ShippedNote } from './shipped-facts'

interface ReportViewProps {
  artefact: Artefact
  report: Report
  /** Of the task; the first is the objective. */
  metrics: readonly MetricSpec[]
}

/** The whole report of one model; every number leads to its pictures. */
export function ReportView({ artefact, report, metrics }: ReportViewProps) {
  const { t } = useTranslation('models')
  const names = report.splits.map((split) => split.split)
  const text = useLocalText()
  const [chosen, setChosen] = useState<string>('test')
  const [view, setView] = useState<ItemsView | null>(null)
  const split = report.splits.find((each) => each.split === chosen) ?? report.splits[0]
  const objective = metrics[0]?.name ?? 'accuracy'
  const columns = report.table ? columnsByImportance(report.table) : undefined
  if (!split) return <EmptyState title={t('report.no_split')} />
  return (
    <Stack gap="lg">
      <ShippedNote report={report} />
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <ReportHeadline split={split} objective={objective} isAmount={metrics[0]?.unit === 'target'}>
          {split.regression && <PlainErrors fit={split.regression} />}
        </ReportHeadline>
        <SegmentedControl
          size="xs"
          aria-label={t('report.split')}
          value={split.split}
          onChange={setChosen}
          data={names.map((name) => ({ value: name, label: t(`charts:split.${name}`) }))}
          style={{ flex: 'none' }}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={t('report.metrics')} help={t('report.metrics_help')}>
          <Stack gap="sm">
            {split.regression && <IntervalBars unit="amount" rows={intervalRows(metrics, [split], text, 'target')} />}
            <IntervalBars rows={intervalRows(metrics, [split], text)} />
          </Stack>
        </Section>
        <Section title={t('report.facts')}>
          <ReportFacts artefact={artefact} report={report} />
        </Section>
      </SimpleGrid>
      {(report.judgement ?? report.tempering ?? report.shipped) && (
        <Section title={t('shipped.section')}>
          <ShippedFacts artefact={artefact} report={report} objective={objective} />
        </Section>
      )}
      {report.distillation && (
        <Section title={t('distill.section')} help={t('distill.section_help')}>
          <DistillationFacts artefact={artefact} distillation={report.distillation} />
        </Section>
      )}
      {split.regression ? (
        <NumberFit fit={split.regression} />
      ) : (
        <Section title={t('report.per_class')}>
          <PerClass split={split} isRow={report.table !== null} onSelect={(label) => setView({ kind: 'label', label })} />
        </Section>
      )}
      {split.per_size.length > 0 && (
        <Section title={t('report.per_size')} help={t('report.per_size_help')}>
          <PerSize split={split} />
        </Section>
      )}
      {split.confusion.length > 0 && (
        <Section title={t('report.confusion')}>
          <ConfusionMatrix
            labels={report.labels}
            confusion={split.confusion}
            onSelect={(truth, answer) => setView({ kind: 'cell', truth, answer })}
          />
        </Section>
      )}
      {split.roc.length + split.calibration.length > 0 && <RowScores split={split} />}
      {split.precision_recall.length > 0 && (
        <Section title={t('report.precision_recall')} help={t('report.precision_recall_help')}>
          <PrecisionRecall curves={split.precision_recall} thresholds={artefact.manifest.thresholds} />
        </Section>
      )}
      {report.table && <RowReport artefact={artefact} table={report.table} labels={report.labels} objective={metrics[0]} />}
      <Section title={t('report.worst')} help={t('report.worst_text')}>
        <JudgedItems key={split.split} artefact={artefact} split={split.split} view={{ kind: 'errors' }} columns={columns} />
      </Section>
      {(report.curves.length > 0 || !report.table) && (
        <Section title={t('report.curves')}>
          <LearningCurves curves={[{ id: artefact.id, title: '', points: report.curves }]} metric={objective} />
        </Section>
      )}
      <ItemsDrawer artefact={artefact} split={split.split} view={view} columns={columns} onClose={() => setView(null)} />
    </Stack>
  )
}

/** How far off answers are, as people would ask it. */
function PlainErrors({ fit }: { fit: NonNullable<SplitReport['regression']> }) {
  const { t } = useTranslation('models')
  const [half, , nine] = fit.absolute_error_quantiles
  return (
    <Text c="dimmed">
      {t('rows.plain_errors', { half: formatAmount(half), nine: formatAmount(nine), mean: formatAmount(fit.truth_std) })}
    </Text>
  )
}

function PerSize({ split }: { split: SplitReport }) {
  const { t } = useTranslation('models')
  return (
    <BarList
      title={t('report.size')}
      columns={[
        { key: 'ap', title: t('report.size_ap'), format: formatFraction, full: 1 },
        { key: 'support', title: t('report.support_boxes'), format: (value) => String(value ?? 0), full: null },
      ]}
      rows={split.per_size.map(({ size, average_precision, support }) => ({
        key: size,
        title: t(`report.sizes.${size}`),
        values: { ap: support > 0 ? average_precision : null, support },
      }))}
      initialSort={{ column: 'support', isDescending: true }}
    />
  )
}

function PerClass({ split, isRow, onSelect }: { split: SplitReport; isRow: boolean; onSelect: (label: string) => void }) {
  const { t } = useTranslation('models')
  const fraction = (key: 'average_precision' | 'precision' | 'recall' | 'f1') => ({
    key,
    title: t(`charts:metric.${key}`),
    format: formatFraction,
    full: 1,
  })
  // Rows rank by their ROC curves, which stand below.
  const isRanked = !isRow && split.per_class.some((each) => each.average_precision !== null)
  return (
    <BarList
      title={t('report.label')}
      columns={[
        ...(isRanked ? [fraction('average_precision')] : []),
        fraction('f1'),
        fraction('precision'),
        fraction('recall'),
        {
          key: 'support',
          title: t(isRanked ? 'report.support_boxes' : 'report.support'),
          format: (value) => String(value ?? 0),
          full: null,
        },
      ]}
      rows={classRows(split.per_class)}
      initialSort={{ column: isRanked ? 'average_precision' : 'f1', isDescending: false }}
      onSelect={onSelect}
    />
  )
}
