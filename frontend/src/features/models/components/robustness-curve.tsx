import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction } from '../../../charts/format/format'
import { useLocalText } from '../../../lib/local-text'
import type { Robustness } from '../api/types'
import classes from './robustness-table.module.css'

const [WIDTH, HEIGHT, MARGIN] = [120, 52, 7]

interface RobustnessCurveProps {
  report: Robustness
  alteration: Robustness['alterations'][number]
}

/** The measure from unaltered to strong with its intervals; all curves of a report have the same scale. */
export function RobustnessCurve({ report, alteration }: RobustnessCurveProps) {
  const { t } = useTranslation('report')
  const text = useLocalText()
  const every = [report, ...report.alterations.flatMap(({ steps }) => steps)].flatMap(({ interval }) => interval)
  const [low, high] = [Math.min(...every), Math.max(...every)]
  const points = [{ measured: report.value, interval: report.interval, is_worse: false }, ...alteration.steps]
  const x = (place: number) => MARGIN + (place * (WIDTH - 2 * MARGIN)) / (points.length - 1)
  const y = (value: number) => HEIGHT - MARGIN - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * MARGIN)
  const format = report.measure === 'absolute_error' ? formatAmount : formatFraction
  const words = { alteration: text(alteration.title), first: format(report.value), last: format(points.at(-1)?.measured ?? report.value) }
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={t('robustness.curve_label', words)} className={classes.curve}>
      <line x1={0} x2={WIDTH} y1={y(report.value)} y2={y(report.value)} className={classes.level} />
      <polyline points={points.map(({ measured }, place) => `${x(place)},${y(measured)}`).join(' ')} />
      {points.map(({ measured, interval: [from = measured, to = measured], is_worse: isWorse }, place) => (
        <g key={place} data-worse={isWorse || undefined}>
          <line x1={x(place)} x2={x(place)} y1={y(from)} y2={y(to)} />
          <circle cx={x(place)} cy={y(measured)} r={3} />
        </g>
      ))}
    </svg>
  )
}
