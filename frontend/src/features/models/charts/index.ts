/** The charts of a report, found by listing the files of this folder. */
import type { ChartName, ReportChart } from './chart'

const files = import.meta.glob<{ default: ReportChart }>('./*.tsx', { eager: true })

const CHARTS = new Map(Object.values(files).map(({ default: chart }) => [chart.name, chart]))

export function chartNamed(name: ChartName): ReportChart {
  const chart = CHARTS.get(name)
  if (!chart) throw new Error(`no chart ${name}; known: ${[...CHARTS.keys()].join(', ')}`)
  return chart
}
