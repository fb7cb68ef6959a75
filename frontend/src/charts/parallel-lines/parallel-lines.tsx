import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { pressable } from '../press'
import { formatMetric, formatNumber } from '../format/format'
import type { TrialPoint } from '../trial-scatter/scatter'
import { goodness, parallelAxes, parallelPath, VALUE_AXIS, type ParallelAxis } from './parallel'
import classes from './parallel-lines.module.css'

interface ParallelLinesProps {
  trials: readonly TrialPoint[]
  metric: string
  /** Names the metric for people. */
  metricTitle: string
  isHigherBetter: boolean
  onSelect: (id: string) => void
  /** Names a parameter for people. */
  nameOf: (param: string) => string
  height_px?: number
}

const MARGIN = { side: 96, top: 26, bottom: 8 }

/** Parallel coordinates of the trials that have a value. Lines are buttons: they open the trial. */
export function ParallelLines(props: ParallelLinesProps) {
  const { t } = useTranslation('charts')
  const { height_px = 260 } = props
  const { ref, width } = useElementSize()
  const trials = props.trials.filter((trial) => trial.value !== null)
  return (
    <div ref={ref} style={{ height: height_px }}>
      {trials.length < 2 ? (
        <Text c="dimmed" size="sm" ta="center" style={{ height: height_px, alignContent: 'center' }}>
          {t('parallel.empty')}
        </Text>
      ) : (
        width > 0 && <Drawing {...props} trials={trials} width_px={width} height_px={height_px} />
      )}
    </div>
  )
}

interface DrawingProps extends ParallelLinesProps {
  width_px: number
  height_px: number
}

function Drawing({ trials, metric, metricTitle, isHigherBetter, onSelect, nameOf, width_px, height_px }: DrawingProps) {
  const { t } = useTranslation('charts')
  const axes = parallelAxes(trials, [height_px - MARGIN.bottom, MARGIN.top])
  const step = axes.length > 1 ? (width_px - 2 * MARGIN.side) / (axes.length - 1) : 0
  const toX = (index: number) => MARGIN.side + index * step
  const ranks = goodness(trials, isHigherBetter)
  const ordered = [...trials].sort((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0))
  return (
    <svg className={classes.root} width={width_px} height={height_px} role="group" aria-label={t('parallel.label')}>
      {ordered.map((trial) => {
        const title = t('scatter.point', { number: trial.number, value: formatMetric(metric, trial.value) })
        return (
          <path
            key={trial.id}
            className={classes.line}
            d={parallelPath(axes, trial, toX)}
            strokeOpacity={0.12 + 0.88 * (ranks.get(trial.id) ?? 0) ** 2}
            {...pressable(title, () => onSelect(trial.id))}
          >
            <title>{title}</title>
          </path>
        )
      })}
      {axes.map((axis, index) => (
        <AxisDrawing
          key={axis.name}
          axis={axis}
          x={toX(index)}
          title={axis.name === VALUE_AXIS ? metricTitle : nameOf(axis.name)}
          label={(tick) => (axis.name === VALUE_AXIS ? formatMetric(metric, tick) : formatNumber(tick))}
          width_px={step}
          height_px={height_px}
        />
      ))}
    </svg>
  )
}

interface AxisDrawingProps {
  axis: ParallelAxis
  x: number
  title: string
  label: (tick: number) => string
  width_px: number
  height_px: number
}

function AxisDrawing({ axis, x, title, label, width_px, height_px }: AxisDrawingProps) {
  const short = (text: string, available_px: number) => {
    const most = Math.max(6, Math.floor(available_px / 7))
    return text.length > most ? `${text.slice(0, most - 1)}…` : text
  }
  const ticks = axis.choices
    ? axis.choices.map((choice, index) => ({ at: axis.scale.toPx(index), text: choice }))
    : axis.scale.ticks.map((tick) => ({ at: axis.scale.toPx(tick), text: label(tick) }))
  return (
    <g pointerEvents="none">
      <line className={classes.axis} x1={x} x2={x} y1={MARGIN.top} y2={height_px - MARGIN.bottom} />
      <text x={x} y={12} textAnchor="middle">
        <title>{title}</title>
        {short(title, Math.max(width_px, 2 * MARGIN.side))}
      </text>
      {ticks.map((tick) => (
        <text key={tick.text} x={x - 5} y={tick.at} textAnchor="end" dominantBaseline="central">
          <title>{tick.text}</title>
          {short(tick.text, MARGIN.side)}
        </text>
      ))}
    </g>
  )
}
