import type { Key, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

import type { Sort } from '../lib/sort'
import type { Column } from './data-table'
import classes from './data-table.module.css'
import { SortButton } from './sort-head'

interface RowCardsProps<Row> {
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** What makes a row open something. */
  opened: (row: Row) => { tabIndex?: number; onClick?: () => void; onKeyDown?: (event: KeyboardEvent) => void }
  caption: string | undefined
  sort: Sort | null
  onSort: ((sort: Sort) => void) | undefined
}

/** A column as narrow as this holds a box to tick or a sign. */
const MARK_PX = 60

/**
 * The rows of a table in a narrow window: each a card, headed by the column that names the row, the marks left of it and the button
 * right of it; the other columns below as title and value, wider ones without a title at the end.
 */
export function RowCards<Row>({ columns, rows, rowKey, opened, caption, sort, onSort }: RowCardsProps<Row>) {
  const { t } = useTranslation('common')
  const isMark = ({ width }: Column<Row>) => typeof width === 'number' && width <= MARK_PX
  const name = columns.find(({ isName }) => isName) ?? columns.find((column) => !isMark(column))
  const marks = columns.filter((column, place) => isMark(column) && place < columns.findIndex((each) => each === name))
  const buttons = columns.filter((column) => isMark(column) && column.title === '' && column !== name && !marks.includes(column))
  const head = [...marks, ...(name ? [name] : []), ...buttons]
  const others = columns.filter((column) => !head.includes(column))
  const sorting = onSort ? columns.filter(({ sortValue }) => sortValue) : []
  return (
    <>
      {onSort && sorting.length > 0 && (
        <div className={classes.sorts} role="group" aria-label={t('sort_by')}>
          <span aria-hidden>{t('sort_by')}</span>
          {sorting.map(({ key, title, isDescendingFirst }) => (
            <SortButton key={key} column={key} isPressable {...{ sort, onSort, isDescendingFirst }}>
              {title}
            </SortButton>
          ))}
        </div>
      )}
      <ul className={classes.list} aria-label={caption}>
        {rows.map((row) => (
          <li key={rowKey(row)} className={classes.card} {...opened(row)}>
            <div className={classes.head}>
              {head.map((column) => (
                <div key={column.key} className={column === name ? classes.name : undefined}>
                  {column.render(row)}
                </div>
              ))}
            </div>
            <dl className={classes.facts}>
              {others
                .filter(({ title }) => title !== '')
                .map((column) => [<dt key={`${column.key} title`}>{column.title}</dt>, <dd key={column.key}>{column.render(row)}</dd>])}
            </dl>
            {others
              .filter(({ title }) => title === '')
              .map((column) => (
                <div key={column.key} className={classes.actions}>
                  {column.render(row)}
                </div>
              ))}
          </li>
        ))}
      </ul>
    </>
  )
}
