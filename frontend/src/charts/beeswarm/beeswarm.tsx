import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { Frame, ticksOf } from '../frame/frame'
import { thinned } from '../truth-scatter/points'
import { extent, linearScale, widened } from '../scale/scale'
import classes from './beeswarm.module.css'
import { lanesOf, ranksOf } from './swarm'

export interface SwarmPoint {
  item: string
  /** What the column did to the answer. */
  value: number
  /** As it is shown. */
  cell: string
  /** Where the cell lies on its column's axis; NaN where it has no order. */
  position: number
}

export interface SwarmLine {
  column: string
  points: readonly SwarmPoint[]
}

interface BeeswarmProps {
  lines: readonly SwarmLine[]
  format: (value: number) => string
  xTitle: string
  onSelect?: (item: string) => void
}

const LINE_PX = 34
const RADIUS_PX = 3
const MARGIN = { left: 130, right: 16, top: 6, bottom: 36 }
/** Points of one line; more lie on each other. */
const POINTS_MAX = 250
const LANES = 4

/** What each column did to single answers: a line a column, a point a row, its colour the cell from low to high. */
export function Beeswarm({ lines, format, xTitle, onSelect }: BeeswarmProps) {
  const { t } = useTranslation('charts')
  const { ref, width } = useElementSize()
  const height_px = lines.length * LINE_PX + MARGIN.top + MARGIN.bottom
  const domain = widened(extent(lines.flatMap(({ points }) => [0, ...points.map(({ value }) => value)])) ?? [0, 1], 0.04)
  const x = linearScale(domain, [MARGIN.left, width - MARGIN.right], Math.max(2, Math.floor(width / 120)))
  const names = lines.map(({ column }, index) => ({ at_px: MARGIN.top + (index + 0.5) * LINE_PX, text: short(column) }))
  return (
    <div>
      <div ref={ref} style={{ height: height_px }}>
        {width > 0 && (
          <Frame
            width_px={width}
            height_px={height_px}
            margin={MARGIN}
            x={ticksOf(x, format)}
            y={names}
            xTitle={xTitle}
            label={t('swarm.label', { count: lines.length })}
          >
            <line className={classes.zero} x1={x.toPx(0)} x2={x.toPx(0)} y1={MARGIN.top} y2={height_px - MARGIN.bottom} />
            {lines.map(({ column, points }, index) => {
              const drawn = thinned(points, POINTS_MAX)
              const ranks = ranksOf(drawn.map(({ position }) => position))
              const lanes = lanesOf(
                drawn.map(({ value }) => x.toPx(value)),
                2 * RADIUS_PX,
              )
              const most = Math.max(LANES, ...lanes.map(Math.abs))
              const step_px = (LINE_PX / 2 - RADIUS_PX) / most
              const middle_px = MARGIN.top + (index + 0.5) * LINE_PX
              return drawn.map((point, place) => (
                <circle
                  key={`${column} ${point.item}`}
                  className={classes.point}
                  data-open={onSelect ? true : undefined}
                  cx={x.toPx(point.value)}
                  cy={middle_px + (lanes[place] ?? 0) * step_px}
                  r={RADIUS_PX}
                  style={fill(ranks[place] ?? null)}
                  onClick={() => onSelect?.(point.item)}
                >
                  <title>{t('swarm.point', { column, cell: point.cell || t('swarm.missing'), value: format(point.value) })}</title>
                </circle>
              ))
            })}
          </Frame>
        )}
      </div>
      <div className={classes.legend} aria-hidden>
        <span>{t('swarm.low')}</span>
        <span className={classes.ramp} />
        <span>{t('swarm.high')}</span>
        <span className={classes.swatch} />
        <span>{t('swarm.unordered')}</span>
      </div>
    </div>
  )
}

const short = (name: string) => (name.length > 18 ? `${name.slice(0, 17)}…` : name)

const fill = (rank: number | null) =>
  rank === null ? undefined : { fill: `color-mix(in oklab, var(--swarm-high) ${Math.round(rank * 100)}%, var(--swarm-low))` }
