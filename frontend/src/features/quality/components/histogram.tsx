import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Histogram as Data } from '../api/quality'
import classes from './quality.module.css'

interface HistogramProps {
  name: string
  data: Data
}

const WIDTH = 240
const HEIGHT = 72

const LEAST_SHOWN = 0.1

const short = (value: number): string => {
  if (value > 0 && value < LEAST_SHOWN) return String(Number(value.toPrecision(2)))
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** How a measure is spread over the pictures. */
export function Histogram({ name, data }: HistogramProps) {
  const { t } = useTranslation('quality')
  const most = Math.max(1, ...data.counts)
  const step = WIDTH / Math.max(1, data.counts.length)
  const first = data.edges[0] ?? 0
  const last = data.edges[data.edges.length - 1] ?? 0
  return (
    <figure className={classes.histogram}>
      <figcaption>
        <Text size="xs" fw={600} title={t(`measure.${name}.help`)}>
          {t(`measure.${name}.title`)}
        </Text>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t('measure.range', { name: t(`measure.${name}.title`), first: short(first), last: short(last) })}
        preserveAspectRatio="none"
      >
        {data.counts.map((count, index) => {
          const height = count === 0 ? 0 : Math.max(1.5, (count / most) * (HEIGHT - 2))
          return (
            <rect key={data.edges[index]} x={index * step + 0.5} y={HEIGHT - height} width={Math.max(1, step - 1)} height={height}>
              <title>{`${short(data.edges[index] ?? 0)} – ${short(data.edges[index + 1] ?? 0)}: ${count}`}</title>
            </rect>
          )
        })}
      </svg>
      <div className={classes.axis} aria-hidden>
        <span>{short(first)}</span>
        <span>{short(last)}</span>
      </div>
    </figure>
  )
}
