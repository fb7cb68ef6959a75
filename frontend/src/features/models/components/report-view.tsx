import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { EmptyState } from '../../../ui/empty-state'
import type { Artefact, MetricSpec, Report } from '../api/types'
import { chartNamed } from '../charts'
import type { ChartName } from '../charts/chart'
import type { ItemsView } from '../model/items-query'
import { columnsByImportance, firstLabel } from '../model/row-report'
import { ItemsDrawer } from './items-drawer'
import { ReportHeadline } from './report-headline'
import { ShippedNote } from './shipped-facts'

interface ReportViewProps {
  artefact: Artefact
  report: Report
  /** Of the task; the first is the objective. */
  metrics: readonly MetricSpec[]
  /** Of the task, in their order. */
  charts: readonly ChartName[]
}

/** The whole report of one model; every number leads to its items. */
export function ReportView({ artefact, report, metrics, charts }: ReportViewProps) {
  const { t } = useTranslation('models')
  const [chosen, setChosen] = useState<string>('test')
  const [view, setView] = useState<ItemsView | null>(null)
  const [output, setOutput] = useState(() => firstLabel(report.labels))
  const { ErrorsInWords, spread } = useAnswerKind()
  const split = report.splits.find((each) => each.split === chosen) ?? report.splits[0]
  const columns = report.table ? columnsByImportance(report.table) : undefined
  if (!split) return <EmptyState title={t('report.no_split')} />
  const props = { artefact, report, split, metrics, columns, output, onOutput: setOutput, onItems: setView }
  return (
    <Stack gap="lg">
      <ShippedNote report={report} />
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <ReportHeadline
          split={split}
          objective={metrics[0]?.name ?? 'accuracy'}
          isAmount={metrics[0]?.unit === 'target'}
          spread={spread?.(split)}
        >
          {ErrorsInWords && <ErrorsInWords split={split} />}
        </ReportHeadline>
        <SegmentedControl
          size="xs"
          aria-label={t('report.split')}
          value={split.split}
          onChange={setChosen}
          data={report.splits.map(({ split: name }) => ({ value: name, label: t(`charts:split.${name}`) }))}
          style={{ flex: 'none' }}
        />
      </Group>
      {charts.map((name) => {
        const { Chart } = chartNamed(name)
        return <Chart key={name} {...props} />
      })}
      <ItemsDrawer artefact={artefact} split={split.split} view={view} columns={columns} onClose={() => setView(null)} />
    </Stack>
  )
}
