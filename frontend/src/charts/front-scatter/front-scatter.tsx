import { useElementSize } from '@mantine/hooks'

import { Frame, ticksOf } from '../frame/frame'
import { extent, type Interval, linearScale, logScale, type Scale, withMargin } from '../scale/scale'
import classes from './front-scatter.module.css'

export interface FrontPoint {
  id: string
  x: number
  y: number
  /** Read out, and shown beside the pointer. */
  title?: string
  /** Written beside the point. */
  name?: string
  /** Drawn as a line through the point. */
  xInterval?: Interval
  /** `front`: worth choosing. `beaten`: another point is better, or a limit is exceeded. `original`: what the others are compared with. */
  rank: 'front' | 'beaten' | 'original'
  /** Draws a ring around the point. */
  isShipped?: boolean
}

interface FrontScatterProps {
  points: readonly FrontPoint[]
  label: string
  xTitle: string
  yTitle: string
  formatX: (value: number) => string
  formatY: (value: number) => string
  /** Dashed lines: the highest x and the lowest y allowed. */
  limits?: { x?: number | undefined; y?: number | undefined }
  /** Makes the points buttons. */
  onSelect?: (id: string) => void
  height_px?: number
}

const MARGIN = { left: 70, right: 24, top: 18, bottom: 36 }
/** From this many times the smallest on, values stand on a logarithmic axis. */
const LOG_RATIO = 20
const PX_PER_TICK = 110

/** What each of several models costs (x, less is better) and is worth (y). */
export function FrontScatter(props: FrontScatterProps) {
  const { ref, width } = useElementSize()
  const { height_px = 280 } = props
  return (
    <div ref={ref} style={{ height: height_px }}>
      {width > 0 && <FrontDrawing {...props} width_px={width} height_px={height_px} />}
    </div>
  )
}

/** A margin at both ends; logarithmic where the values are far apart. */
function amountScale([low, high]: Interval, range_px: Interval): Scale {
  if (low > 0 && high / low >= LOG_RATIO) return logScale([low / 1.3, high * 1.3], range_px)
  const margin = (high - low || Math.abs(high) || 1) * 0.08
  return linearScale([Math.max(0, low - margin), high + margin], range_px, Math.max(2, Math.floor(range_px[1] / PX_PER_TICK)))
}

type FrontDrawingProps = FrontScatterProps & { width_px: number; height_px: number }

function FrontDrawing({ points, label, xTitle, yTitle, formatX, formatY, limits, onSelect, width_px, height_px }: FrontDrawingProps) {
  const right = width_px - MARGIN.right
  const bottom = height_px - MARGIN.bottom
  const costs = [...points.flatMap((point) => [point.x, ...(point.xInterval ?? [])]), limits?.x]
  const x = amountScale(extent(costs) ?? [0, 1], [MARGIN.left, right])
  const y = linearScale(withMargin(extent([...points.map((point) => point.y), limits?.y]) ?? [0, 1]), [bottom, MARGIN.top], 4)
  const sorted = [...points].sort((one, other) => one.x - other.x)
  return (
    <Frame
      width_px={width_px}
      height_px={height_px}
      margin={MARGIN}
      x={ticksOf(x, formatX)}
      y={ticksOf(y, formatY)}
      xTitle={xTitle}
      yTitle={yTitle}
      label={label}
      role={onSelect ? 'group' : 'img'}
    >
      {limits?.y !== undefined && (
        <line className={classes.limit} x1={MARGIN.left} x2={right} y1={y.toPx(limits.y)} y2={y.toPx(limits.y)} />
      )}
      {limits?.x !== undefined && (
        <line className={classes.limit} x1={x.toPx(limits.x)} x2={x.toPx(limits.x)} y1={MARGIN.top} y2={bottom} />
      )}
      {sorted.map((point, index) => (
        <Mark
          key={point.id}
          point={point}
          x_px={x.toPx(point.x)}
          y_px={y.toPx(point.y)}
          interval_px={point.xInterval && [x.toPx(point.xInterval[0]), x.toPx(point.xInterval[1])]}
          isNameAbove={index % 2 === 0}
          isAtEnd={x.toPx(point.x) > width_px * 0.66}
          onSelect={onSelect}
        />
      ))}
    </Frame>
  )
}

interface MarkProps {
  point: FrontPoint
  x_px: number
  y_px: number
  interval_px: Interval | undefined
  /** Names of neighbours stand above and below in turn. */
  isNameAbove: boolean
  isAtEnd: boolean
  onSelect: FrontScatterProps['onSelect']
}

function Mark({ point, x_px, y_px, interval_px, isNameAbove, isAtEnd, onSelect }: MarkProps) {
  const { id, title, name, rank, isShipped } = point
  const button = onSelect && {
    tabIndex: 0,
    role: 'button',
    'aria-label': title,
    onClick: () => onSelect(id),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      onSelect(id)
    },
  }
  return (
    <g>
      {interval_px && <line className={classes.interval} x1={interval_px[0]} x2={interval_px[1]} y1={y_px} y2={y_px} />}
      <circle className={classes.point} data-rank={rank} cx={x_px} cy={y_px} r={rank === 'beaten' && !name ? 4 : 5.5} {...button}>
        {title && <title>{title}</title>}
      </circle>
      {isShipped && <circle className={classes.ring} cx={x_px} cy={y_px} r={9} />}
      {name && (
        <text className={classes.name} x={x_px} y={isNameAbove ? y_px - 10 : y_px + 18} textAnchor={isAtEnd ? 'end' : 'start'}>
          {name}
        </text>
      )}
    </g>
  )
}
