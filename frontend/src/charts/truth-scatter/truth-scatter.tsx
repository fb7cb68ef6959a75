import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { formatAmount } from '../format/format'
import { Frame, ticksOf } from '../frame/frame'
import { linearScale } from '../scale/scale'
import { sharedDomain, thinned, type TruthPoint } from './points'
import classes from './truth-scatter.module.css'

interface TruthScatterProps {
  points: readonly TruthPoint[]
  onSelect?: (item: string) => void
  height_px?: number
}

const MARGIN = { left: 70, right: 14, top: 8, bottom: 36 }
/** More circles add no information and make the page slow. */
const POINTS_MAX = 2000

/** Each row at its truth and prediction; on the line the two are equal. */
export function TruthScatter({ points, onSelect, height_px = 320 }: TruthScatterProps) {
  const { t } = useTranslation('charts')
  const { ref, width } = useElementSize()
  const domain = sharedDomain(points)
  const bottom = height_px - MARGIN.bottom
  const x = linearScale(domain, [MARGIN.left, width - MARGIN.right], Math.max(2, Math.floor(width / 110)))
  const y = linearScale(domain, [bottom, MARGIN.top], 5)
  return (
    <div ref={ref} style={{ height: height_px }}>
      {width > 0 && (
        <Frame
          width_px={width}
          height_px={height_px}
          margin={MARGIN}
          x={ticksOf(x, formatAmount)}
          y={ticksOf(y, formatAmount)}
          xTitle={t('truth.truth')}
          yTitle={t('truth.prediction')}
          label={t('truth.label', { count: points.length })}
        >
          <line className={classes.right} x1={x.toPx(domain[0])} y1={y.toPx(domain[0])} x2={x.toPx(domain[1])} y2={y.toPx(domain[1])} />
          {thinned(points, POINTS_MAX).map(({ item, truth, prediction }) => (
            <circle
              key={item}
              className={classes.point}
              data-open={onSelect ? true : undefined}
              cx={x.toPx(truth)}
              cy={y.toPx(prediction)}
              r={3.5}
              onClick={() => onSelect?.(item)}
            >
              <title>{t('truth.point', { truth: formatAmount(truth), prediction: formatAmount(prediction) })}</title>
            </circle>
          ))}
        </Frame>
      )}
    </div>
  )
}
