import { useElementSize } from '@mantine/hooks'

import { formatFraction, formatLatency } from '../format/format'
import { Frame, ticksOf } from '../frame/frame'
import { extent, linearScale, withMargin, widened } from '../scale/scale'
import classes from './compression-scatter.module.css'

export interface CompressionPoint {
  id: string
  name: string
  latency_ms: number
  latency_interval: readonly [number, number]
  value_fraction: number
  isOver: boolean
  isOriginal: boolean
}

interface CompressionScatterProps {
  points: readonly CompressionPoint[]
  /** Lowest value within the budget. */
  leastValue?: number | undefined
  /** Longest answer within the budget. */
  mostLatency_ms?: number | undefined
  xTitle: string
  yTitle: string
  label: string
  height_px?: number
}

const MARGIN = { left: 70, right: 14, top: 18, bottom: 36 }

/** What each point of a front costs and is worth: left is faster, up is better. Dashed lines are limits. */
export function CompressionScatter({
  points,
  leastValue,
  mostLatency_ms,
  xTitle,
  yTitle,
  label,
  height_px = 280,
}: CompressionScatterProps) {
  const { ref, width } = useElementSize()
  const bottom = height_px - MARGIN.bottom
  const right = width - MARGIN.right
  const values = extent([...points.map(({ value_fraction }) => value_fraction), leastValue]) ?? [0, 1]
  const times = extent([0, ...points.flatMap(({ latency_interval }) => latency_interval), mostLatency_ms]) ?? [0, 1]
  const x = linearScale([0, widened(times, 0.12)[1]], [MARGIN.left, right], Math.max(2, Math.floor(width / 110)))
  const y = linearScale(withMargin([values[0] - 0.005, values[1]]), [bottom, MARGIN.top], 4)
  return (
    <div ref={ref} style={{ height: height_px }}>
      {width > 0 && (
        <Frame
          width_px={width}
          height_px={height_px}
          margin={MARGIN}
          x={ticksOf(x, formatLatency)}
          y={ticksOf(y, (value) => formatFraction(value, 1))}
          xTitle={xTitle}
          yTitle={yTitle}
          label={label}
        >
          {leastValue !== undefined && (
            <line className={classes.limit} x1={MARGIN.left} x2={right} y1={y.toPx(leastValue)} y2={y.toPx(leastValue)} />
          )}
          {mostLatency_ms !== undefined && (
            <line className={classes.limit} x1={x.toPx(mostLatency_ms)} x2={x.toPx(mostLatency_ms)} y1={MARGIN.top} y2={bottom} />
          )}
          {[...points]
            .sort((one, other) => one.latency_ms - other.latency_ms)
            .map((point, index) => {
              const at = { x: x.toPx(point.latency_ms), y: y.toPx(point.value_fraction) }
              const isAtEnd = at.x > width * 0.66
              return (
                <g key={point.id}>
                  <line
                    className={classes.interval}
                    x1={x.toPx(point.latency_interval[0])}
                    x2={x.toPx(point.latency_interval[1])}
                    y1={at.y}
                    y2={at.y}
                  />
                  <circle
                    className={classes.point}
                    data-over={point.isOver || undefined}
                    data-original={point.isOriginal || undefined}
                    cx={at.x}
                    cy={at.y}
                    r={5.5}
                  />
                  <text
                    className={classes.name}
                    x={at.x}
                    y={index % 2 === 0 ? at.y - 10 : at.y + 18}
                    textAnchor={isAtEnd ? 'end' : 'start'}
                  >
                    {point.name}
                  </text>
                </g>
              )
            })}
        </Frame>
      )}
    </div>
  )
}
