import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { type CellKind, formatMoment } from '../../lib/table/cells'
import { formatAmount } from '../format/format'
import { Frame, ticksOf } from '../frame/frame'
import { extent, type Interval, linearScale } from '../scale/scale'
import { timeScale } from '../scale/time'
import { type DependencePoint, stripOf } from './points'
import classes from './dependence.module.css'

interface DependenceProps {
  column: string
  kind: CellKind
  points: readonly DependencePoint[]
  /** Of the answer; the same for all plots beside each other, so that they can be compared. */
  domain: Interval
  format: (value: number) => string
  height_px?: number
}

const MARGIN = { left: 56, right: 10, top: 8, bottom: 24 }
const STRIP_PX = 6
const NAME_LETTERS = 9

/** The mean answer along one column: a line where it has an order, bars where it has none. Below, where the rows are. */
export function Dependence({ column, kind, points, domain, format, height_px = 170 }: DependenceProps) {
  const { t } = useTranslation('charts')
  const { ref, width } = useElementSize()
  const isOrdered = kind === 'number' || kind === 'datetime'
  const shown = isOrdered ? points.filter(({ position }) => Number.isFinite(position)) : points
  const range = extent(shown.map(({ position }) => position)) ?? [0, 1]
  const right = width - MARGIN.right
  const bottom = height_px - MARGIN.bottom - STRIP_PX - 2
  const time = kind === 'datetime' ? timeScale(range, [MARGIN.left + 4, right - 4], Math.max(2, Math.floor(width / 90))) : null
  const x = isOrdered
    ? (time ?? linearScale(range, [MARGIN.left + 4, right - 4], Math.max(2, Math.floor(width / 60))))
    : linearScale([-0.5, shown.length - 0.5], [MARGIN.left, right], 1)
  const y = linearScale(domain, [bottom, MARGIN.top], 5)
  const xOf = (point: DependencePoint, index: number) => x.toPx(isOrdered ? point.position : index)
  const written = (value: number) => (kind === 'datetime' ? formatMoment(value, range[1] - range[0]) : formatAmount(value))
  const every = Math.ceil(shown.length / Math.max(1, Math.floor((right - MARGIN.left) / 62)))
  const xTicks = isOrdered
    ? ticksOf(x, time?.formatTick ?? written)
    : shown.flatMap(({ cell }, index) => (index % every ? [] : [{ at_px: x.toPx(index), text: short(cell || t('swarm.missing')) }]))
  const bar_px = Math.max(2, ((right - MARGIN.left) / Math.max(1, shown.length)) * 0.7)
  const zero_px = y.toPx(Math.min(domain[1], Math.max(domain[0], 0)))
  return (
    <figure className={classes.root}>
      <figcaption title={column}>{column}</figcaption>
      <div ref={ref} style={{ height: height_px }}>
        {width > 0 && (
          <Frame
            width_px={width}
            height_px={height_px}
            margin={MARGIN}
            x={xTicks}
            y={ticksOf(y, format)}
            label={t('dependence.label', { column })}
          >
            {isOrdered && (
              <path
                className={classes.line}
                d={shown.map((point, index) => `${index ? 'L' : 'M'}${xOf(point, index)} ${y.toPx(point.mean)}`).join('')}
              />
            )}
            {shown.map((point, index) => {
              const [at, top] = [xOf(point, index), y.toPx(point.mean)]
              const title = t('dependence.point', {
                cell: isOrdered ? written(point.position) : point.cell || t('swarm.missing'),
                value: format(point.mean),
              })
              return isOrdered ? (
                <circle key={index} className={classes.dot} cx={at} cy={top} r={3}>
                  <title>{title}</title>
                </circle>
              ) : (
                <rect
                  key={index}
                  className={classes.bar}
                  x={at - bar_px / 2}
                  width={bar_px}
                  y={Math.min(top, zero_px)}
                  height={Math.max(1, Math.abs(zero_px - top))}
                >
                  <title>{title}</title>
                </rect>
              )
            })}
            {stripOf(
              shown.map(xOf),
              shown.map(({ share }) => share),
              [MARGIN.left, right],
            ).map(({ from, to, opacity }, index) => (
              <rect
                key={index}
                className={classes.strip}
                x={from}
                width={Math.max(0, to - from)}
                y={bottom + 3}
                height={STRIP_PX}
                fillOpacity={opacity}
              />
            ))}
          </Frame>
        )}
      </div>
    </figure>
  )
}

const short = (name: string) => (name.length > NAME_LETTERS ? `${name.slice(0, NAME_LETTERS - 1)}…` : name)
