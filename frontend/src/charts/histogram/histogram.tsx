import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { Frame, ticksOf } from '../frame/frame'
import { linearScale } from '../scale/scale'
import { timeScale } from '../scale/time'
import { bars, type Bins } from './bins'
import classes from './histogram.module.css'

interface MiniHistogramProps extends Bins {
  /** What it shows, in words. */
  label: string
}

const MINI = { width: 120, height: 28 }

/** The shape of a column in a line of a list. */
export function MiniHistogram({ edges, counts, label }: MiniHistogramProps) {
  return (
    <svg
      className={classes.mini}
      viewBox={`0 0 ${MINI.width} ${MINI.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      width={MINI.width}
      height={MINI.height}
    >
      {bars({ edges, counts }).map(({ from, to, height, place }) => (
        <rect
          key={place}
          className={classes.bar}
          x={from * MINI.width}
          y={(1 - height) * MINI.height}
          width={Math.max(0.8, (to - from) * MINI.width - 0.6)}
          height={height * MINI.height}
        />
      ))}
    </svg>
  )
}

interface HistogramProps extends Bins {
  label: string
  xTitle?: string
  yTitle?: string
  format: (value: number) => string
  /** Values are seconds since 1970. */
  isTime?: boolean
  /** A line drawn through all, e.g. at zero. */
  mark?: number
  height_px?: number
}

const MARGIN = { left: 60, right: 24, top: 8, bottom: 36 }

/** How many values lie between edges, with axes. */
export function Histogram({ edges, counts, label, xTitle, yTitle, format, isTime = false, mark, height_px = 220 }: HistogramProps) {
  const { t } = useTranslation('charts')
  const { ref, width } = useElementSize()
  const bottom = height_px - MARGIN.bottom
  const last = edges[counts.length] ?? 1
  const numTicks = Math.max(2, Math.floor(width / 110))
  const [domain, range] = [[edges[0] ?? 0, last] as const, [MARGIN.left, width - MARGIN.right] as const]
  const time = isTime ? timeScale(domain, range, numTicks) : null
  const x = time ?? linearScale(domain, range, numTicks)
  const y = linearScale([0, Math.max(1, ...counts)], [bottom, MARGIN.top], 3)
  return (
    <div ref={ref} style={{ height: height_px }}>
      {width > 0 && (
        <Frame
          width_px={width}
          height_px={height_px}
          margin={MARGIN}
          x={ticksOf(x, time?.formatTick ?? format)}
          y={ticksOf(y, (tick) => (Number.isInteger(tick) ? tick.toLocaleString() : ''))}
          xTitle={xTitle}
          yTitle={yTitle}
          label={label}
        >
          {counts.map((count, place) => {
            const [from, to] = [x.toPx(edges[place] ?? 0), x.toPx(edges[place + 1] ?? 0)]
            return (
              <rect
                key={place}
                className={classes.bar}
                x={from + 0.5}
                width={Math.max(0.8, to - from - 1)}
                y={y.toPx(count)}
                height={bottom - y.toPx(count)}
              >
                <title>{t('histogram.bar', { low: format(edges[place] ?? 0), high: format(edges[place + 1] ?? 0), count })}</title>
              </rect>
            )
          })}
          {mark !== undefined && mark >= (edges[0] ?? 0) && mark <= last && (
            <line className={classes.mark} x1={x.toPx(mark)} x2={x.toPx(mark)} y1={MARGIN.top} y2={bottom} />
          )}
        </Frame>
      )}
    </div>
  )
}
