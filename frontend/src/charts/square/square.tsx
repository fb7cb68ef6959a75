import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../format/format'
import { Frame, ticksOf } from '../frame/frame'
import { CurveLegend, curveProps } from '../legend/curve-legend'
import { seriesColor } from '../palette/palette'
import { useScheme } from '../palette/use-scheme'
import { linearScale } from '../scale/scale'
import classes from './square.module.css'

export interface SquareCurve {
  label: string
  /** Fractions along both axes, in the order in which they are joined. */
  x: readonly number[]
  y: readonly number[]
  /** Its text in the legend. */
  value: string
  /** How many items stand behind each point, where that differs: the more, the larger. */
  counts?: readonly number[]
}

interface SquareChartProps {
  curves: readonly SquareCurve[]
  xTitle: string
  yTitle: string
  /** What is drawn, in words. */
  label: string
  empty: string
  height_px?: number
}

const MARGIN = { left: 64, right: 24, top: 8, bottom: 36 }

/** Curves in the unit square with its diagonal: receiver operating characteristics, reliability diagrams. */
export function SquareChart({ curves, xTitle, yTitle, label, empty, height_px = 300 }: SquareChartProps) {
  const scheme = useScheme()
  const { t } = useTranslation('charts')
  const { ref, width } = useElementSize()
  const [chosen, setChosen] = useState<string | null>(null)
  const side_px = Math.min(width, height_px * 1.5)
  const x = linearScale([0, 1], [MARGIN.left, side_px - MARGIN.right], 5)
  const y = linearScale([0, 1], [height_px - MARGIN.bottom, MARGIN.top], 5)
  if (!curves.length) {
    return (
      <Text c="dimmed" size="sm">
        {empty}
      </Text>
    )
  }
  const percent = (tick: number) => formatFraction(tick, 0)
  return (
    <div>
      <div ref={ref} style={{ height: height_px }}>
        {width > 0 && (
          <Frame
            width_px={side_px}
            height_px={height_px}
            margin={MARGIN}
            x={ticksOf(x, percent)}
            y={ticksOf(y, percent)}
            xTitle={xTitle}
            yTitle={yTitle}
            label={label}
          >
            <line className={classes.diagonal} x1={x.toPx(0)} y1={y.toPx(0)} x2={x.toPx(1)} y2={y.toPx(1)} />
            {curves.map((curve, index) => {
              const color = seriesColor(index, scheme)
              const most = Math.max(1, ...(curve.counts ?? []))
              return (
                <g key={curve.label} {...curveProps(curve.label, chosen)}>
                  <path
                    d={curve.x.map((at, place) => `${place ? 'L' : 'M'}${x.toPx(at)} ${y.toPx(curve.y[place] ?? 0)}`).join('')}
                    stroke={color}
                  />
                  {curve.counts?.map((count, place) => (
                    <circle
                      key={place}
                      cx={x.toPx(curve.x[place] ?? 0)}
                      cy={y.toPx(curve.y[place] ?? 0)}
                      r={3 + 5 * Math.sqrt(count / most)}
                      fill={color}
                    >
                      <title>{t('square.point', { x: percent(curve.x[place] ?? 0), y: percent(curve.y[place] ?? 0), count })}</title>
                    </circle>
                  ))}
                </g>
              )
            })}
          </Frame>
        )}
      </div>
      <CurveLegend
        entries={curves.map(({ label, value }, index) => ({ label, value, color: seriesColor(index, scheme) }))}
        chosen={chosen}
        onChoose={setChosen}
      />
    </div>
  )
}
