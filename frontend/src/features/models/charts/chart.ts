/** The props of a report's chart, and its name. */
import type { ReactNode } from 'react'

import type { Task } from '../../../lib/api/types'
import type { Artefact, MetricSpec, Report, SplitReport } from '../api/types'
import type { ItemsView } from '../model/items-query'

export type ChartName = Task['ui']['report_charts'][number]

export interface ChartProps {
  artefact: Artefact
  report: Report
  /** The part of the items that is looked at. */
  split: SplitReport
  /** Of the task; the first is the objective. */
  metrics: readonly MetricSpec[]
  /** Of tables: the columns as they are listed, the most important first. */
  columns: readonly string[] | undefined
  /** Index of the label whose answers are explained; the same in all charts. */
  output: number
  onOutput: (output: number) => void
  /** Shows the items behind a number. */
  onItems: (view: ItemsView) => void
  /** Shows one of the worst items large. */
  onItem: (item: string) => void
}

/** The default export of `charts/<name>.tsx`, found by listing. */
export interface ReportChart {
  name: ChartName
  /** Renders nothing where the report has nothing for it. */
  Chart: (props: ChartProps) => ReactNode
}
