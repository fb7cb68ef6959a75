import { Table, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'

import { nextSort, type Sort } from '../lib/sort'
import classes from './sort-head.module.css'

interface SortHeadProps {
  column: string
  sort: Sort | null
  onSort: (sort: Sort) => void
  /** Whether the first click begins with the largest. */
  isDescendingFirst?: boolean | undefined
  align?: 'left' | 'right' | undefined
  width?: number | string | undefined
  children: ReactNode
}

/** The head of a column by which a table is sorted. */
export function SortHead({ column, sort, onSort, isDescendingFirst, align, width, children }: SortHeadProps) {
  const isOn = sort?.column === column
  return (
    <Table.Th
      w={width}
      {...(width === undefined && { miw: 130 })}
      ta={align}
      aria-sort={isOn ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <SortButton {...{ column, sort, onSort, isDescendingFirst, align }}>{children}</SortButton>
    </Table.Th>
  )
}

/** What a head is pressed by; outside a head it says itself whether it is in force. */
export function SortButton({
  column,
  sort,
  onSort,
  isDescendingFirst,
  align,
  isPressable = false,
  children,
}: Omit<SortHeadProps, 'width'> & { isPressable?: boolean }) {
  const isOn = sort?.column === column
  return (
    <UnstyledButton
      className={classes.head}
      data-right={align === 'right' || undefined}
      aria-pressed={isPressable ? isOn : undefined}
      onClick={() => onSort(nextSort(sort, column, isDescendingFirst))}
    >
      {children}
      <span aria-hidden className={classes.arrow} data-on={isOn || undefined}>
        {isOn && sort.isDescending ? '↓' : '↑'}
      </span>
    </UnstyledButton>
  )
}
