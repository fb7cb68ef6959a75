import { VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { formatMetric } from '../../../charts/format/format'
import { Frame, ticksOf } from '../../../charts/frame/frame'
import { linearScale, withMargin } from '../../../charts/scale/scale'
import { formatNumber } from '../../../lib/format'
import type { GainCurve } from '../api/types'
import { drawnRange } from '../model/advice'
import classes from './advice-curve.module.css'

const HEIGHT = 260
const MARGIN = { left: 56, right: 14, top: 22, bottom: 38 }
const TICK_PX = 70

interface AdviceCurveProps {
  curve: GainCurve
  /** There are today. */
  numItems: number
  /** What is drawn, in words. */
  name: string
}

/** Measured points, the fitted curve, and from today's items on the band of what is to come. */
export function AdviceCurve({ curve, numItems, name }: AdviceCurveProps) {
  const { t } = useTranslation('report')
  const { ref, width } = useElementSize()
  const drawn = Math.max(240, width || 480)
  const last = curve.fitted.at(-1)?.num_items ?? numItems
  const x = linearScale([0, last], [MARGIN.left, drawn - MARGIN.right], Math.max(2, Math.floor(drawn / TICK_PX) - 1))
  const range = withMargin(drawnRange(curve))
  const y = linearScale(range, [HEIGHT - MARGIN.bottom, MARGIN.top])
  const format = (value: number) => formatMetric(curve.measure, value)
  const inside = (value: number) => y.toPx(Math.min(range[1], Math.max(range[0], value)))
  const ahead = curve.fitted.filter(({ num_items: size }) => size >= numItems)
  const band = [
    ...ahead.map(({ num_items: size, interval }) => `${x.toPx(size)},${inside(interval[1] ?? 0)}`),
    ...[...ahead].reverse().map(({ num_items: size, interval }) => `${x.toPx(size)},${inside(interval[0] ?? 0)}`),
  ].join(' ')
  return (
    <div ref={ref} className={classes.root}>
      <Frame
        width_px={drawn}
        height_px={HEIGHT}
        margin={MARGIN}
        x={ticksOf(x, formatNumber)}
        y={ticksOf(y, format)}
        xTitle={t('advice.learned')}
        label={t('advice.curve_label', { name, count: curve.samples.length })}
      >
        <polygon points={band} className={classes.band} />
        <polyline
          points={curve.fitted.map(({ num_items: size, value }) => `${x.toPx(size)},${inside(value)}`).join(' ')}
          className={classes.fitted}
        />
        <line x1={x.toPx(numItems)} x2={x.toPx(numItems)} y1={MARGIN.top - 4} y2={HEIGHT - MARGIN.bottom} className={classes.today} />
        <text x={x.toPx(numItems)} y={MARGIN.top - 9} textAnchor="middle">
          {t('advice.today', { count: numItems })}
        </text>
        {curve.samples.map(({ num_items: size, value, interval: [low = value, high = value] }) => (
          <g key={size} className={classes.sample}>
            <line x1={x.toPx(size)} x2={x.toPx(size)} y1={inside(low)} y2={inside(high)} />
            <circle cx={x.toPx(size)} cy={inside(value)} r={4} />
          </g>
        ))}
      </Frame>
      <VisuallyHidden>
        <table>
          <caption>{name}</caption>
          <tbody>
            {curve.samples.map(({ num_items: size, value }) => (
              <tr key={size}>
                <th scope="row">{formatNumber(Math.round(size))}</th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  )
}
