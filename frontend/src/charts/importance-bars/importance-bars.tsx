import { useTranslation } from 'react-i18next'

import { formatFraction } from '../format/format'
import classes from './importance-bars.module.css'
import { rankedShares } from './shares'

interface ImportanceBarsProps {
  /** Fractions by parameter. */
  shares: Record<string, number>
  nameOf: (param: string) => string
}

/** How much of the difference between trials each parameter explains. */
export function ImportanceBars({ shares, nameOf }: ImportanceBarsProps) {
  const { t } = useTranslation('charts')
  return (
    <dl className={classes.root}>
      {rankedShares(shares, t('importance.rest')).map((share) => (
        <div key={share.name} className={classes.row}>
          <dt title={nameOf(share.name)}>{nameOf(share.name)}</dt>
          <dd>
            <span className={classes.bar} style={{ width: `${share.share_fraction * 100}%` }} aria-hidden />
            {formatFraction(share.share_fraction, 0)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
