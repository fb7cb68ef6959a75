import { Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Key, KeyboardEvent, ReactNode } from 'react'

import { type Sort, sorted, type SortValue } from '../lib/sort'
import { RowCards } from './row-cards'
import { SortHead } from './sort-head'

export interface Column<Row> {
  key: string
  title: ReactNode
  render: (row: Row) => ReactNode
  width?: number | string
  align?: 'left' | 'right'
  /** Whether it names the row; the first column, if none says so. */
  isName?: boolean
  /** What rows are sorted by when the head is clicked; without it they are not. */
  sortValue?: (row: Row) => SortValue
  /** Only rows with the same value are comparable: they stay together, the largest first. */
  sortGroup?: (row: Row) => SortValue
  /** Whether the first click begins with the largest. */
  isDescendingFirst?: boolean
}

interface DataTableProps<Row> {
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => Key
  onRowClick?: (row: Row) => void
  caption?: string
  /** Null leaves the rows as they come. */
  sort?: Sort | null
  onSort?: (sort: Sort) => void
}

const LEAST_PX = 360
const MOST_PX = 720
/** Of a column that takes what the others leave. */
const FREE_PX = 160

const LEAST_FREE_PX = 130

/** What a narrow window scrolls instead of squeezing words letter by letter; a window of 1024 px never has to. */
const leastWidth = (columns: readonly { width?: number | string }[]) => {
  const columns_px = columns.reduce((sum, { width }) => sum + (typeof width === 'number' ? width : FREE_PX), 0)
  return Math.min(MOST_PX, Math.max(LEAST_PX, columns_px))
}

/** Below it rows are cards: a table of several columns is squeezed or scrolls. */
const NARROW = '(max-width: 48em)'

/** A plain table, in a narrow window a list of cards; rows that lead somewhere can be reached and opened by keyboard. */
export function DataTable<Row>({ columns, rows, rowKey, onRowClick, caption, sort = null, onSort }: DataTableProps<Row>) {
  const { sortValue, sortGroup } = columns.find(({ key }) => key === sort?.column) ?? {}
  const shown = sort && sortValue ? sorted(rows, sortValue, sort.isDescending, sortGroup) : rows
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const opened = (row: Row) =>
    onRowClick
      ? {
          tabIndex: 0,
          onClick: () => onRowClick(row),
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key === 'Enter' && event.target === event.currentTarget) onRowClick(row)
          },
        }
      : {}
  if (isNarrow) return <RowCards rows={shown} {...{ columns, rowKey, opened, caption, sort, onSort }} />
  return (
    <Table.ScrollContainer minWidth={leastWidth(columns)}>
      <Table aria-label={caption}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title, width, align, sortValue: isSorted, isDescendingFirst }) =>
              isSorted && onSort ? (
                <SortHead key={key} column={key} {...{ sort, onSort, width, align, isDescendingFirst }}>
                  {title}
                </SortHead>
              ) : (
                <Table.Th key={key} w={width} {...(width === undefined && { miw: LEAST_FREE_PX })} ta={align}>
                  {title}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => (
            <Table.Tr key={rowKey(row)} style={onRowClick ? { cursor: 'pointer' } : undefined} {...opened(row)}>
              {columns.map((column) => (
                <Table.Td key={column.key} ta={column.align}>
                  {column.render(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
