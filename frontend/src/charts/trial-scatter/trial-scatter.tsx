import { Select, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { pressable } from '../press'
import { formatMetric, formatNumber } from '../format/format'
import { extent, linearScale, withMargin } from '../scale/scale'
import { bestSoFar, NUMBER_AXIS, stairPath, trialAxis, varyingParams, type TrialPoint } from './scatter'
import classes from './trial-scatter.module.css'

interface TrialScatterProps {
  trials: readonly TrialPoint[]
  metric: string
  isHigherBetter: boolean
  selected: ReadonlySet<string>
  onSelect: (id: string) => void
  /** Names a parameter for people. */
  nameOf: (param: string) => string
  height_px?: number
}

const MARGIN = { left: 52, right: 12, top: 8, bottom: 26 }

/** Value of every trial against its number or a parameter. Points are buttons: they open the trial. */
export function TrialScatter(props: TrialScatterProps) {
  const { t } = useTranslation('charts')
  const { trials, height_px = 260 } = props
  const { ref, width } = useElementSize()
  const [axisName, setAxisName] = useState(NUMBER_AXIS)
  const measured = trials.filter((trial) => trial.value !== null)
  const names = varyingParams(trials)
  const shown = names.includes(axisName) ? axisName : NUMBER_AXIS
  return (
    <div>
      <Select
        size="xs"
        w={200}
        mb={6}
        aria-label={t('scatter.axis')}
        value={shown}
        onChange={(value) => setAxisName(value ?? NUMBER_AXIS)}
        allowDeselect={false}
        data={[{ value: NUMBER_AXIS, label: t('scatter.number') }, ...names.map((name) => ({ value: name, label: props.nameOf(name) }))]}
      />
      <div ref={ref} style={{ height: height_px }}>
        {measured.length === 0 ? (
          <Text c="dimmed" size="sm" ta="center" style={{ height: height_px, alignContent: 'center' }}>
            {t('scatter.empty')}
          </Text>
        ) : (
          width > 0 && <ScatterDrawing {...props} trials={measured} axisName={shown} width_px={width} height_px={height_px} />
        )}
      </div>
    </div>
  )
}

interface ScatterDrawingProps extends TrialScatterProps {
  axisName: string
  width_px: number
  height_px: number
}

function ScatterDrawing({ trials, metric, isHigherBetter, selected, onSelect, axisName, width_px, height_px }: ScatterDrawingProps) {
  const { t } = useTranslation('charts')
  const right = width_px - MARGIN.right
  const bottom = height_px - MARGIN.bottom
  const axis = trialAxis(trials, axisName, [MARGIN.left, right])
  const y = linearScale(withMargin(extent(trials.map((trial) => trial.value)) ?? [0, 1]), [bottom, MARGIN.top], 4)
  const stairs =
    axisName === NUMBER_AXIS
      ? bestSoFar(trials, isHigherBetter).map((step) => ({ x: axis.scale.toPx(step.number), y: y.toPx(step.value) }))
      : []
  const xLabels =
    axis.kind === 'choice'
      ? axis.choices.map((choice, index) => ({ at: axis.scale.toPx(index), text: choice }))
      : axis.scale.ticks
          .filter((tick) => axisName !== NUMBER_AXIS || Number.isInteger(tick))
          .map((tick) => ({ at: axis.scale.toPx(tick), text: formatNumber(tick) }))
  return (
    <svg className={classes.root} width={width_px} height={height_px} role="group" aria-label={t('scatter.label')}>
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={MARGIN.left} x2={right} y1={y.toPx(tick)} y2={y.toPx(tick)} />
          <text x={MARGIN.left - 8} y={y.toPx(tick)} textAnchor="end" dominantBaseline="central">
            {formatMetric(metric, tick)}
          </text>
        </g>
      ))}
      {xLabels.map((label) => (
        <text key={label.text} x={label.at} y={bottom + 16} textAnchor="middle">
          {label.text}
        </text>
      ))}
      <path className={classes.best} d={stairPath(stairs, right)} />
      {trials.map((trial) => {
        const x = axis.place(trial)
        if (x === null || trial.value === null) return null
        const title = t('scatter.point', { number: trial.number, value: formatMetric(metric, trial.value) })
        return (
          <circle
            key={trial.id}
            className={classes.point}
            data-state={trial.state}
            data-selected={selected.has(trial.id) || undefined}
            cx={x}
            cy={y.toPx(trial.value)}
            r={selected.has(trial.id) ? 6 : 4.5}
            {...pressable(title, () => onSelect(trial.id))}
          >
            <title>{title}</title>
          </circle>
        )
      })}
    </svg>
  )
}
