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
import { curvePath, pointAt, type PrecisionRecallCurve } from './curve'

interface PrecisionRecallProps {
  curves: readonly PrecisionRecallCurve[]
  /** Recommended scores by label; each is a dot on its curve. */
  thresholds: Readonly<Record<string, number>>
  height_px?: number
}

const MARGIN = { left: 64, right: 24, top: 8, bottom: 36 }

/** What each label's threshold buys: precision against recall. A label in the legend brings its curve forward. */
export function PrecisionRecall({ curves, thresholds, height_px = 280 }: PrecisionRecallProps) {
  const { t } = useTranslation('charts')
  const scheme = useScheme()
  const { ref, width } = useElementSize()
  const [chosen, setChosen] = useState<string | null>(null)
  const x = linearScale([0, 1], [MARGIN.left, width - MARGIN.right], 5)
  const y = linearScale([0, 1], [height_px - MARGIN.bottom, MARGIN.top], 5)
  const percent = (tick: number) => formatFraction(tick, 0)
  const drawn = curves.filter((curve) => curve.recall.length > 0)
  const entryOf = (curve: PrecisionRecallCurve) => {
    const threshold = thresholds[curve.label] ?? 0.5
    const dot = pointAt(curve, threshold)
    const score = formatFraction(threshold)
    const value = dot
      ? t('precision_recall.at', { score, precision: formatFraction(dot.precision), recall: formatFraction(dot.recall) })
      : t('precision_recall.none', { score })
    return { label: curve.label, value, color: seriesColor(curves.indexOf(curve), scheme) }
  }
  if (!drawn.length) {
    return (
      <Text c="dimmed" size="sm">
        {t('precision_recall.empty')}
      </Text>
    )
  }
  return (
    <div>
      <div ref={ref} style={{ height: height_px }}>
        {width > 0 && (
          <Frame
            width_px={width}
            height_px={height_px}
            margin={MARGIN}
            x={ticksOf(x, percent)}
            y={ticksOf(y, percent)}
            xTitle={t('metric.recall')}
            yTitle={t('metric.precision')}
            label={t('precision_recall.label')}
          >
            {drawn.map((curve) => {
              const color = seriesColor(curves.indexOf(curve), scheme)
              const dot = pointAt(curve, thresholds[curve.label] ?? 0.5)
              return (
                <g key={curve.label} {...curveProps(curve.label, chosen)}>
                  <path d={curvePath(curve, x.toPx, y.toPx)} stroke={color} />
                  {dot && <circle cx={x.toPx(dot.recall)} cy={y.toPx(dot.precision)} r={4.5} fill={color} />}
                </g>
              )
            })}
          </Frame>
        )}
      </div>
      <CurveLegend entries={drawn.map(entryOf)} chosen={chosen} onChoose={setChosen} entry_px={400} />
    </div>
  )
}
