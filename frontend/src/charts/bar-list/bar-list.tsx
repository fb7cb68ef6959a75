import { ScrollArea, Table, UnstyledButton } from '@mantine/core'
import { useMemo, useState, type ReactNode } from 'react'

import classes from './bar-list.module.css'
import type { Sort } from '../../lib/sort'
import { SortHead } from '../../ui/sort-head'
import { barSpan, fullBar, sortRows, type BarRow } from './sort-rows'

export interface BarColumn {
  key: string
  title: string
  format: (value: number | null | undefined) => string
  /** Value of a full bar; null draws no bar but takes the largest value of the column. */
  full: number | null
  /** The bar starts in the middle: to the right for gains, to the left for losses. */
  isSigned?: boolean
}

interface BarListProps {
  title: string
  columns: readonly BarColumn[]
  rows: readonly BarRow[]
  initialSort: Sort
  /** Makes the rows' titles buttons. */
  onSelect?: (key: string) => void
  renderTitle?: (row: BarRow) => ReactNode
}

/** Some sixteen lines; who has more scrolls within the box. */
const MAX_HEIGHT_PX = 480

/** A table whose numbers are also bars; every column sorts. */
export function BarList({ title, columns, rows, initialSort, onSelect, renderTitle }: BarListProps) {
  const [sort, setSort] = useState(initialSort)
  const sorted = useMemo(() => sortRows(rows, sort), [rows, sort])
  const full = useMemo(() => new Map(columns.map((column) => [column.key, column.full ?? fullBar(rows, column.key, 0)])), [columns, rows])
  const head = (key: string, text: string) => (
    <SortHead key={key} column={key} sort={sort} onSort={setSort}>
      <span className={classes.head}>{text}</span>
    </SortHead>
  )
  return (
    <ScrollArea.Autosize mah={MAX_HEIGHT_PX} type="auto" offsetScrollbars="present">
      <Table stickyHeader verticalSpacing={4} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {head('title', title)}
            {columns.map((column) => head(column.key, column.title))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Th scope="row" className={classes.title}>
                {onSelect ? (
                  <UnstyledButton className={classes.link} onClick={() => onSelect(row.key)}>
                    {renderTitle?.(row) ?? row.title}
                  </UnstyledButton>
                ) : (
                  (renderTitle?.(row) ?? row.title)
                )}
              </Table.Th>
              {columns.map((column) => (
                <Table.Td key={column.key}>
                  <Bar value={row.values[column.key] ?? null} full={full.get(column.key) ?? 1} column={column} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}

function Bar({ value, full, column }: { value: number | null; full: number; column: BarColumn }) {
  const { start_fraction, width_fraction } = barSpan(value, full, column.isSigned ?? false)
  return (
    <div className={classes.cell}>
      <span className={classes.number}>{column.format(value)}</span>
      <span className={classes.track} aria-hidden>
        <span
          className={classes.fill}
          data-loss={(column.isSigned && value !== null && value < 0) || undefined}
          style={{ marginLeft: `${start_fraction * 100}%`, width: `${width_fraction * 100}%` }}
        />
      </span>
    </div>
  )
}
