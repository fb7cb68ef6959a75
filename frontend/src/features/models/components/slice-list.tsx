import { Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { placeIn } from '../../../charts/interval-bars/interval'
import type { Slice, SliceReport } from '../api/types'
import classes from './slice-list.module.css'
import { useSliceWords } from './use-slice-words'

interface SliceListProps {
  /** With their places among all slices of the split. */
  slices: readonly { slice: Slice; place: number }[]
  measure: SliceReport['measure']
  /** Of the axis, the same in all lists. */
  domain: readonly [number, number]
  onOpen: (place: number) => void
}

/** Slices as lines that open their items: which they are, how the model does on them and on the rest, in words and drawn. */
export function SliceList({ slices, measure, domain, onOpen }: SliceListProps) {
  const { t } = useTranslation('report')
  const words = useSliceWords()
  const percent = (value: number) => `${placeIn([domain[0], domain[1]], value) * 100}%`
  return (
    <ul className={classes.list}>
      {slices.map(({ slice, place }) => {
        const title = words.title(slice)
        const [low = slice.measured, high = slice.measured] = slice.interval
        return (
          <li key={place}>
            <UnstyledButton
              className={classes.row}
              aria-label={t('slice.open', { title: words.titleOf(slice) })}
              onClick={() => onOpen(place)}
            >
              <span className={classes.title}>
                {title ?? words.condition(slice)}
                {title !== null && <span className={classes.condition}>{words.condition(slice)}</span>}
              </span>
              <span className={classes.track} data-sure={slice.is_worse || undefined} aria-hidden>
                <span className={classes.whisker} style={{ left: percent(low), right: `calc(100% - ${percent(high)})` }} />
                <span className={classes.rest} style={{ left: percent(slice.rest) }} />
                <span className={classes.point} style={{ left: percent(slice.measured) }} />
              </span>
              <span className={classes.numbers}>
                {words.measured(slice, measure)}
                <Text component="span" size="xs" c="dimmed" className={classes.count}>
                  {words.count(slice)}
                </Text>
              </span>
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}
