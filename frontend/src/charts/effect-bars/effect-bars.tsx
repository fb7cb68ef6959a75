import { Tooltip } from '@mantine/core'

import classes from './effect-bars.module.css'
import { type Effect, effectDomain, effectSpans } from './spans'

interface EffectBarsProps {
  /** As they are listed. */
  effects: readonly Effect[]
  format: (value: number) => string
  /** Says what an error bar means. */
  describe: (effect: Effect) => string
  /** Names have half the width, such as those of two columns. */
  hasLongNames?: boolean
}

const percent = (fraction: number) => `${fraction * 100}%`

/** How much each column does, with how sure that is. */
export function EffectBars({ effects, format, describe, hasLongNames }: EffectBarsProps) {
  const domain = effectDomain(effects)
  return (
    <ol className={classes.root} data-long={hasLongNames || undefined}>
      {effects.map((effect) => {
        const { bar, error } = effectSpans(effect, domain)
        return (
          <Tooltip key={effect.key} label={describe(effect)} position="top-end">
            <li>
              <span className={classes.name} title={effect.key}>
                {effect.key}
              </span>
              <span className={classes.track} aria-hidden>
                <span
                  className={classes.bar}
                  data-loss={effect.value < 0 || undefined}
                  style={{ left: percent(bar.left), width: percent(bar.width) }}
                />
                {error && <span className={classes.error} style={{ left: percent(error.left), width: percent(error.width) }} />}
              </span>
              <span className={classes.number}>{format(effect.value)}</span>
            </li>
          </Tooltip>
        )
      })}
    </ol>
  )
}
