import { useTranslation } from 'react-i18next'

import type { ShelfCheck } from '../api/shelves'
import classes from './shelves.module.css'

interface ShelfPhotoProps {
  url: string
  check: ShelfCheck
  colours: ReadonlyMap<string, string>
  /** Places of the packs that are chosen. */
  chosen: ReadonlySet<number>
  onChoose: (place: number) => void
  /** Product whose packs stand out; null: the unknown ones; undefined: all alike. */
  focus: string | null | undefined
}

export const UNKNOWN_COLOUR = '#fa5252'
const percent = (part: number, whole: number) => `${(100 * part) / whole}%`

/** The photo with a box around each pack, in the colour of its product; unknown ones are dashed. */
export function ShelfPhoto({ url, check, colours, chosen, onChoose, focus }: ShelfPhotoProps) {
  const { t } = useTranslation('shelves')
  const { width, height, packs } = check
  return (
    <div className={classes.photo}>
      <img src={url} alt={t('check.photo')} />
      {packs.map(({ box, name, nearest }, place) => {
        const colour = name === null ? UNKNOWN_COLOUR : (colours.get(name) ?? UNKNOWN_COLOUR)
        const unknown = nearest === null ? t('unknown') : t('check.unknown_like', { name: nearest })
        const title = name ?? unknown
        return (
          <button
            key={place}
            type="button"
            className={classes.pack}
            style={{
              left: percent(box.x, width),
              top: percent(box.y, height),
              width: percent(box.width, width),
              height: percent(box.height, height),
              ['--pack-colour' as string]: colour,
            }}
            title={title}
            aria-label={title}
            aria-pressed={chosen.has(place)}
            data-unknown={name === null || undefined}
            data-dim={(focus !== undefined && focus !== name) || undefined}
            onClick={() => onChoose(place)}
          >
            <span className={classes.name}>{name ?? '?'}</span>
          </button>
        )
      })}
    </div>
  )
}
