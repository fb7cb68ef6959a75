import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import type { JudgedItem } from '../api/types'
import classes from './judged-items.module.css'
import { JudgedRows } from './rows/judged-rows'

interface JudgedListProps {
  items: readonly JudgedItem[]
  thresholds: Record<string, number>
  /** Of rows: the columns as they are listed. */
  columns?: readonly string[] | undefined
  /** Shows one of them large. */
  onItem: (item: string) => void
}

/** Judged items as cards, or as rows of a sheet. */
export function JudgedList({ items, thresholds, columns, onItem }: JudgedListProps) {
  const { t } = useTranslation('report')
  const { JudgedCard } = useAnswerKind()
  if (columns) return <JudgedRows thresholds={thresholds} items={items} columns={columns} onItem={onItem} />
  return (
    <div className={classes.grid}>
      {items.map((item) => (
        <div key={item.item} className={classes.item}>
          <JudgedCard item={item} thresholds={thresholds} />
          <UnstyledButton
            className={classes.open}
            data-item={item.item}
            aria-label={t('items.open', { name: item.name })}
            title={item.name}
            onClick={() => onItem(item.item)}
          />
        </div>
      ))}
    </div>
  )
}
