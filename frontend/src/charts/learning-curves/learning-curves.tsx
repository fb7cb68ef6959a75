import 'uplot/dist/uPlot.min.css'

import { Group, SegmentedControl, Select, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type uPlot from 'uplot'

import { formatMetric } from '../format/format'
import { seriesColor } from '../palette/palette'
import { useScheme } from '../palette/use-scheme'
import { alignCurves, curveMetrics, lastValue, type AlignedCurves, type Curve, type CurveAxis } from './align'
import classes from './learning-curves.module.css'
import { drawCurves } from './plot'

interface LearningCurvesProps {
  curves: readonly Curve[]
  /** Shown first; the others are a click away. */
  metric: string
  height_px?: number
  /** Nothing is added any more. */
  isOver?: boolean
}

/** Curves of one or several trials, train dashed and validation solid. New points move the lines without a redraw of the page. */
export function LearningCurves({ curves, metric: preferred, height_px = 260, isOver = false }: LearningCurvesProps) {
  const { t } = useTranslation('charts')
  const [chosen, setChosen] = useState<string | null>(null)
  const [axis, setAxis] = useState<CurveAxis>('epoch')
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const metrics = useMemo(() => curveMetrics(curves), [curves])
  const metric = [chosen, preferred, metrics[0]].find((name) => name != null && metrics.includes(name)) ?? preferred
  const aligned = useMemo(() => alignCurves(curves, metric, axis), [curves, metric, axis])

  const toggle = (key: string) => {
    setHidden((before) => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  }

  return (
    <div className={classes.root}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Select
          size="xs"
          w={200}
          allowDeselect={false}
          value={metric}
          onChange={setChosen}
          data={(metrics.length ? metrics : [metric]).map((name) => ({ value: name, label: t(`metric.${name}`, name) }))}
          aria-label={t('curves.metric')}
        />
        <SegmentedControl
          size="xs"
          value={axis}
          onChange={(value) => setAxis(value as CurveAxis)}
          data={[
            { value: 'epoch', label: t('curves.epoch') },
            { value: 'step', label: t('curves.step') },
          ]}
          aria-label={t('curves.axis')}
        />
      </Group>
      <CurveCanvas aligned={aligned} metric={metric} axis={axis} hidden={hidden} onToggle={toggle} height_px={height_px} isOver={isOver} />
    </div>
  )
}

interface CurveCanvasProps {
  aligned: AlignedCurves
  metric: string
  axis: CurveAxis
  hidden: ReadonlySet<string>
  onToggle: (key: string) => void
  height_px: number
  isOver: boolean
}

function CurveCanvas({ aligned, metric, axis, hidden, onToggle, height_px, isOver }: CurveCanvasProps) {
  const { t } = useTranslation('charts')
  const scheme = useScheme()
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const readouts = useRef(new Map<string, HTMLElement>())
  const latest = useRef({ aligned, metric, axis })
  useEffect(() => {
    latest.current = { aligned, metric, axis }
  })
  const shape = aligned.lines.map((line) => line.key).join('|')

  const write = (index: number | null) => {
    const { aligned: now, metric: name } = latest.current
    now.lines.forEach((line, at) => {
      const node = readouts.current.get(line.key)
      const value = index == null ? (lastValue(now, at)?.value ?? null) : (now.columns[at + 1]?.[index] ?? null)
      if (node) node.textContent = value == null ? '–' : formatMetric(name, value)
    })
  }

  useEffect(() => {
    const element = host.current
    if (!element) return
    const drawn = drawCurves(element, latest.current.aligned, {
      lines: latest.current.aligned.lines,
      scheme,
      width_px: element.clientWidth,
      height_px,
      hidden,
      formatValue: (value) => formatMetric(latest.current.metric, value),
      onCursor: write,
    })
    plot.current = drawn
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: height_px }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      drawn.destroy()
      plot.current = null
    }
    // A redraw from scratch is for new lines and colours only; points and hidden lines are fed below.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shape, scheme, height_px])

  useEffect(() => {
    plot.current?.setData(aligned.columns)
    write(null)
  }, [aligned])

  useEffect(() => {
    aligned.lines.forEach((line, at) => {
      const series = plot.current?.series[at + 1]
      if (series && series.show === hidden.has(line.key)) plot.current?.setSeries(at + 1, { show: !hidden.has(line.key) })
    })
  }, [aligned.lines, hidden])

  if (!aligned.lines.length) {
    return (
      <Text c="dimmed" size="sm" ta="center" style={{ height: height_px, alignContent: 'center' }}>
        {t(isOver ? 'curves.none' : 'curves.empty')}
      </Text>
    )
  }
  return (
    <>
      <div ref={host} aria-hidden style={{ height: height_px }} />
      <div className={classes.legend}>
        {aligned.lines.map((line) => (
          <UnstyledButton key={line.key} className={classes.entry} aria-pressed={!hidden.has(line.key)} onClick={() => onToggle(line.key)}>
            <svg width="18" height="8" aria-hidden>
              <line
                x1="0"
                x2="18"
                y1="4"
                y2="4"
                stroke={seriesColor(line.color, scheme)}
                strokeWidth={line.split === 'train' ? 1.5 : 2.5}
                strokeDasharray={line.split === 'train' ? '4 3' : undefined}
              />
            </svg>
            {line.title ? `${line.title} ` : ''}
            {t(`split.${line.split}`, line.split)}
            <span
              className={classes.value}
              ref={(node) => {
                if (node) readouts.current.set(line.key, node)
                else readouts.current.delete(line.key)
              }}
            />
          </UnstyledButton>
        ))}
      </div>
      <CurveTable aligned={aligned} metric={metric} axis={axis} />
    </>
  )
}

/** The same numbers for those who do not see the lines. */
function CurveTable({ aligned, metric, axis }: { aligned: AlignedCurves; metric: string; axis: CurveAxis }) {
  const { t } = useTranslation('charts')
  return (
    <VisuallyHidden>
      <table>
        <caption>{t('curves.caption', { metric: t(`metric.${metric}`, metric) })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('curves.line')}</th>
            <th scope="col">{t(`curves.${axis}`)}</th>
            <th scope="col">{t('curves.last')}</th>
          </tr>
        </thead>
        <tbody>
          {aligned.lines.map((line, at) => {
            const last = lastValue(aligned, at)
            return (
              <tr key={line.key}>
                <th scope="row">{`${line.title} ${t(`split.${line.split}`, line.split)}`}</th>
                <td>{last?.x}</td>
                <td>{last ? formatMetric(metric, last.value) : ''}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
