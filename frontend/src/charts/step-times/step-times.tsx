import { useElementSize } from '@mantine/hooks'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

import { formatLatency, formatNumber } from '../format/format'
import { Frame, ticksOf } from '../frame/frame'
import { linearScale } from '../scale/scale'
import { areaPath, highestOf, type StepTime } from './area'

interface StepTimesProps {
  points: readonly StepTime[]
  colors: { compute: string; wait: string }
  height_px?: number
}

const MARGIN = { left: 64, right: 24, top: 8, bottom: 36 }

/** What each step took, computing below and waiting for data above. */
export function StepTimes({ points, colors, height_px = 200 }: StepTimesProps) {
  const { t } = useTranslation('charts')
  const { ref, width } = useElementSize()
  const clip = useId()
  const steps: [number, number] = [points[0]?.step ?? 0, points.at(-1)?.step ?? 1]
  const x = linearScale(steps, [MARGIN.left, width - MARGIN.right], 5)
  const y = linearScale([0, highestOf(points)], [height_px - MARGIN.bottom, MARGIN.top], 4)
  const compute = (point: StepTime) => point.compute_ms
  const all = (point: StepTime) => point.compute_ms + point.wait_ms
  return (
    <div ref={ref} style={{ height: height_px }}>
      {width > 0 && (
        <Frame
          width_px={width}
          height_px={height_px}
          margin={MARGIN}
          x={ticksOf(x, formatNumber)}
          y={ticksOf(y, formatLatency)}
          xTitle={t('curves.step')}
          yTitle={t('step_times.time')}
          label={t('step_times.label')}
        >
          <clipPath id={clip}>
            <rect
              x={MARGIN.left}
              y={MARGIN.top}
              width={width - MARGIN.left - MARGIN.right}
              height={height_px - MARGIN.top - MARGIN.bottom}
            />
          </clipPath>
          <g clipPath={`url(#${clip})`}>
            <path
              d={areaPath(points, () => 0, compute, x.toPx, y.toPx)}
              fill={colors.compute}
              fillOpacity={0.6}
              style={{ stroke: 'none' }}
            />
            <path d={areaPath(points, compute, all, x.toPx, y.toPx)} fill={colors.wait} style={{ stroke: 'none' }} />
          </g>
        </Frame>
      )}
    </div>
  )
}
