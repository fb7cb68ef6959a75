import { useElementSize } from '@mantine/hooks'

import { extent, linearScale, logScale, withMargin, type Interval, type Scale } from '../scale/scale'
import classes from './front-scatter.module.css'

export interface FrontPoint {
  id: string
  /** What the point is, in words. */
  title: string
  x: number
  y: number
  isOnFront: boolean
  isShipped: boolean
}

interface FrontScatterProps {
  points: readonly FrontPoint[]
  label: string
  xTitle: string
  yTitle: string
  formatX: (value: number) => string
  formatY: (value: number) => string
  onSelect: (id: string) => void
  height_px?: number
}

const MARGIN = { left: 60, right: 24, top: 32, bottom: 40 }
/** From this many times the smallest on, values stand on a logarithmic axis. */
const LOG_RATIO = 20

/** Trials by two of their objectives. Those on the front are filled, the one that is shipped has a ring; points are buttons. */
export function FrontScatter(props: FrontScatterProps) {
  const { ref, width } = useElementSize()
  const { height_px = 280 } = props
  return (
    <div ref={ref} style={{ height: height_px }}>
      {width > 0 && <FrontDrawing {...props} width_px={width} height_px={height_px} />}
    </div>
  )
}

/** Room at both ends, on a logarithmic axis where the values are far apart. */
export function amountScale([low, high]: Interval, range_px: Interval): Scale {
  if (low > 0 && high / low >= LOG_RATIO) return logScale([low / 1.3, high * 1.3], range_px)
  const margin = (high - low || Math.abs(high) || 1) * 0.08
  return linearScale([Math.max(0, low - margin), high + margin], range_px, 4)
}

type FrontDrawingProps = FrontScatterProps & { width_px: number; height_px: number }

function FrontDrawing({ points, label, xTitle, yTitle, formatX, formatY, onSelect, width_px, height_px }: FrontDrawingProps) {
  const right = width_px - MARGIN.right
  const bottom = height_px - MARGIN.bottom
  const x = amountScale(extent(points.map((point) => point.x)) ?? [0, 1], [MARGIN.left, right])
  const y = linearScale(withMargin(extent(points.map((point) => point.y)) ?? [0, 1]), [bottom, MARGIN.top], 4)
  return (
    <svg className={classes.root} width={width_px} height={height_px} role="group" aria-label={label}>
      <text x={0} y={12}>
        {yTitle}
      </text>
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={MARGIN.left} x2={right} y1={y.toPx(tick)} y2={y.toPx(tick)} />
          <text x={MARGIN.left - 8} y={y.toPx(tick)} textAnchor="end" dominantBaseline="central">
            {formatY(tick)}
          </text>
        </g>
      ))}
      {x.ticks.map((tick) => (
        <text key={tick} x={x.toPx(tick)} y={bottom + 16} textAnchor="middle">
          {formatX(tick)}
        </text>
      ))}
      <text x={(MARGIN.left + right) / 2} y={height_px - 4} textAnchor="middle">
        {xTitle}
      </text>
      {points.map((point) => (
        <circle
          key={point.id}
          className={classes.point}
          data-front={point.isOnFront || undefined}
          cx={x.toPx(point.x)}
          cy={y.toPx(point.y)}
          r={point.isOnFront ? 5.5 : 4}
          tabIndex={0}
          role="button"
          aria-label={point.title}
          onClick={() => onSelect(point.id)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === ' ') {
              event.preventDefault()
              onSelect(point.id)
            }
          }}
        >
          <title>{point.title}</title>
        </circle>
      ))}
      {points
        .filter((point) => point.isShipped)
        .map((point) => (
          <circle key={point.id} className={classes.ring} cx={x.toPx(point.x)} cy={y.toPx(point.y)} r={9} />
        ))}
    </svg>
  )
}
