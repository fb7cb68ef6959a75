import { useTranslation } from 'react-i18next'

import { Explained } from '../../ui/explained'
import { formatAmount, formatFraction, formatNumber } from '../format/format'
import { seriesColor } from '../palette/palette'
import { useScheme } from '../palette/use-scheme'
import { amountDomain, intervalDomain, intervalTicks, placeIn, type Measured } from './interval'
import classes from './interval-bars.module.css'

export interface IntervalRow {
  key: string
  title: string
  help?: string
  /** How its values are written, where that is not how the axis is. */
  format?: (value: number | null | undefined) => string
  /** Its values are no per cent; where those of all rows are none, neither is the axis. */
  isPlain?: boolean
  /** One value for each thing compared, in the same order in every row. */
  measured: readonly (Measured | null)[]
}

interface IntervalBarsProps {
  rows: readonly IntervalRow[]
  /** Fractions of one, or amounts in the unit of the target. */
  unit?: 'fraction' | 'amount'
}

/** Metrics as points with whiskers. Several values a row compare models: one colour each. */
export function IntervalBars({ rows, unit = 'fraction' }: IntervalBarsProps) {
  const { t } = useTranslation('charts')
  const scheme = useScheme()
  const measured = rows.flatMap((row) => row.measured.filter((each) => each !== null))
  const domain = unit === 'amount' ? amountDomain(measured) : intervalDomain(measured)
  const formatShare = rows.every((row) => row.isPlain) ? formatNumber : (tick: number) => formatFraction(tick, 0)
  const formatTick = unit === 'amount' ? formatAmount : formatShare
  const formatOf = (row: IntervalRow) => row.format ?? (unit === 'amount' ? formatAmount : formatFraction)
  const percent = (value: number) => `${placeIn(domain, value) * 100}%`
  return (
    <div className={classes.root}>
      {rows.map((row) => (
        <div key={row.key} className={classes.row}>
          <span className={classes.title}>
            <Explained help={row.help}>{row.title}</Explained>
          </span>
          <div className={classes.track}>
            {row.measured.map((each, index) => {
              if (!each) return <div key={index} className={classes.lane} />
              const color = seriesColor(index, scheme)
              return (
                <div key={index} className={classes.lane} aria-hidden>
                  {each.interval && (
                    <span
                      className={classes.whisker}
                      style={{ left: percent(each.interval[0]), right: `calc(100% - ${percent(each.interval[1])})`, background: color }}
                    />
                  )}
                  <span className={classes.point} style={{ left: percent(each.value), background: color }} />
                </div>
              )
            })}
          </div>
          <div className={classes.numbers}>
            {row.measured.map((each, index) => (
              <div key={index}>
                <b>{formatOf(row)(each?.value)}</b>
                <span className={classes.interval}>
                  {each?.interval
                    ? t('interval.range', { low: formatOf(row)(each.interval[0]), high: formatOf(row)(each.interval[1]) })
                    : ''}
                </span>
              </div>
            ))}
          </div>
        </div>
      ))}
      <div className={classes.row} aria-hidden>
        <span />
        <div className={classes.axis}>
          {intervalTicks(domain).map((tick) => (
            <span key={tick} style={{ left: percent(tick) }}>
              {formatTick(tick)}
            </span>
          ))}
        </div>
        <span />
      </div>
    </div>
  )
}
