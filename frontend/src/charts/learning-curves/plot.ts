/**
 * The one file that knows uPlot. It draws outside React: new points and the cursor change the canvas and a few text nodes,
 * never component state.
 */
import uPlot from 'uplot'

import { chartColors, seriesColor, type Scheme } from '../palette/palette'
import { type Interval, withMargin } from '../scale/scale'
import type { AlignedCurves, Line } from './align'

export interface CurvePlotOptions {
  lines: readonly Line[]
  scheme: Scheme
  width_px: number
  height_px: number
  hidden: ReadonlySet<string>
  formatValue: (value: number) => string
  /** Called with the index below the cursor, or null when it leaves. */
  onCursor: (index: number | null) => void
}

/** Ticks between whole epochs would name what does not exist. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat()

/** Draws the curves into `host`. Destroy the plot when the lines or the scheme change; feed it with `setData` otherwise. */
export function drawCurves(host: HTMLElement, curves: AlignedCurves, options: CurvePlotOptions): uPlot {
  const colors = chartColors(options.scheme)
  const axis: uPlot.Axis = {
    stroke: colors.text,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  }
  const isWhole = curves.columns[0].every(Number.isInteger)
  return new uPlot(
    {
      width: options.width_px,
      height: options.height_px,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false } },
      scales: { x: { time: false }, y: { range: (_, low, high) => heightOf(low, high) } },
      axes: [
        { ...axis, size: 28, gap: 6, grid: { show: false }, ...(isWhole && { incrs: WHOLE_STEPS }) },
        { ...axis, size: 52, gap: 6, values: (_, ticks) => ticks.map((tick) => options.formatValue(tick)) },
      ],
      series: [
        {},
        ...options.lines.map((line) => ({
          label: line.key,
          show: !options.hidden.has(line.key),
          stroke: seriesColor(line.color, options.scheme),
          width: line.split === 'train' ? 1.25 : 2,
          dash: line.split === 'train' ? [4, 4] : [],
          spanGaps: true,
          points: { show: pointsAreFew },
        })),
      ],
      hooks: { setCursor: [(plot) => options.onCursor(plot.cursor.idx ?? null)] },
    },
    curves.columns,
    host,
  )
}

/** Before the first point arrives there is no lowest and highest value. */
function heightOf(low: number | null, high: number | null): [number, number] {
  const domain: Interval = low === null || high === null ? [0, 1] : withMargin([low, high])
  return [...domain]
}

/** A line through fewer than three points is hard to see without its points. */
function pointsAreFew(plot: uPlot, line: number): boolean {
  const column = plot.data[line] as (number | null)[]
  return column.filter((value) => value != null).length < 3
}
