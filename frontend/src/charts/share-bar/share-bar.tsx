import { formatNumber } from '../../lib/format'
import { segments, type Part } from './segments'
import classes from './share-bar.module.css'

interface ShareBarProps {
  parts: readonly Part[]
  hasLegend?: boolean
  height_px?: number
}

/** One bar in proportion: items by split, labels by count. */
export function ShareBar({ parts, hasLegend = false, height_px = 8 }: ShareBarProps) {
  const laid = segments(parts)
  const title = laid.map((segment) => `${segment.title} ${formatNumber(segment.count)}`).join(', ')
  return (
    <div className={classes.root}>
      <div className={classes.bar} style={{ height: height_px }} role="img" aria-label={title} title={title}>
        {laid.map((segment) => (
          <span key={segment.key} style={{ flexGrow: segment.share_fraction, background: segment.color }} />
        ))}
      </div>
      {hasLegend && (
        <ul className={classes.legend}>
          {laid.map((segment) => (
            <li key={segment.key}>
              <i style={{ background: segment.color }} />
              {segment.title} <b>{formatNumber(segment.count)}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
