import { IconEyeOff, IconTarget } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../lib/table/columns'
import { KindIcon } from '../kind-icon'
import classes from './grid.module.css'

export interface ShownColumn {
  column: Column
  /** From 1 on: the target's is 0. */
  place: number
  left_px: number
  width_px: number
}

/** What a page makes of the head of a column: a way to sort by it, for one. */
export interface HeadOf {
  /** How the rows stand by a column; null where they do not. */
  direction: (column: string) => 'ascending' | 'descending' | null
  title: (column: string, content: ReactNode) => ReactNode
}

interface GridHeadProps {
  target: string | null
  columns: readonly ShownColumn[]
  target_px: number
  head?: HeadOf | undefined
}

/** The names of the columns, what their cells mean, and which are not learned from; stays while rows pass below. */
export function GridHead({ target, columns, target_px, head }: GridHeadProps) {
  const { t } = useTranslation('data')
  const sortOf = (name: string | null) => (head ? (name !== null && head.direction(name)) || 'none' : undefined)
  const titled = (name: string | null, content: ReactNode) => (head && name !== null ? head.title(name, content) : content)
  return (
    <div className={classes.head} role="row" aria-rowindex={1}>
      <div
        className={classes.pinned}
        role="columnheader"
        aria-colindex={1}
        aria-sort={sortOf(target)}
        style={{ width: target_px }}
        data-target
      >
        {titled(
          target,
          <>
            <IconTarget size={14} stroke={1.8} aria-hidden />
            <span title={target ?? undefined}>{target ?? t('grid.no_target')}</span>
          </>,
        )}
      </div>
      {columns.map(({ column, place, left_px, width_px }) => (
        <div
          key={column.name}
          className={classes.title}
          role="columnheader"
          aria-colindex={place + 1}
          aria-sort={sortOf(column.name)}
          style={{ left: left_px, width: width_px }}
          data-ignored={column.role === 'ignored' || undefined}
          title={column.role === 'ignored' ? t('grid.ignored', { name: column.name }) : column.name}
        >
          {titled(
            column.name,
            <>
              <KindIcon kind={column.kind} />
              <span>{column.name}</span>
              {column.role === 'ignored' && <IconEyeOff size={13} stroke={1.8} role="img" aria-label={t('grid.is_ignored')} />}
            </>,
          )}
        </div>
      ))}
    </div>
  )
}
