import { UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { IdThumb } from '../../../items/id-thumb'
import { idOfShared } from '../api/shared-work'
import type { LabellingSession, LabellingState } from '../model/labelling-session'
import classes from './film-strip.module.css'

/** The pictures before and after the present one; a tick on those that are labelled. Texts and rows have no strip. */
export function FilmStrip({ session, state }: { session: LabellingSession; state: LabellingState }) {
  const { t } = useTranslation('labelling')
  const { hasThumbnails } = useItemKind()
  const strip = useRef<HTMLDivElement>(null)
  const current = state.item?.id
  useEffect(() => {
    const [box, tile] = [strip.current, strip.current?.querySelector<HTMLElement>('[aria-current]')]
    if (box && tile) box.scrollLeft = tile.offsetLeft - (box.clientWidth - tile.clientWidth) / 2
  }, [current, state.around.length])
  if (!hasThumbnails || state.around.length < 2) return null
  return (
    <div ref={strip} className={classes.strip} role="group" aria-label={t('strip.title')}>
      {state.around.map(({ id, isAnnotated }, place) => (
        <UnstyledButton
          key={id}
          className={classes.tile}
          aria-label={t(isAnnotated ? 'strip.labelled' : 'strip.open', { place: place + 1 })}
          aria-current={id === current || undefined}
          // Keys are for the picture, and arrows lead along the strip.
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => session.visit(id)}
        >
          <IdThumb item={idOfShared(id)} size={52} />
          {isAnnotated && <IconCheck className={classes.tick} size={14} stroke={3} aria-hidden />}
        </UnstyledButton>
      ))}
    </div>
  )
}
