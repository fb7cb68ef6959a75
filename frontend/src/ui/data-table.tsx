import { Table } from '@mantine/core'
import type { Key, ReactNode } from 'react'

export interface Column<Row> {
  key: string
  title: ReactNode
  render: (row: Row) => ReactNode
  width?: number | string
  align?: 'left' | 'right'
}

interface DataTableProps<Row> {
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => Key
  onRowClick?: (row: Row) => void
  caption?: string
}

/** A plain table; rows that lead somewhere can be reached and opened by keyboard. */
export function DataTable<Row>({ columns, rows, rowKey, onRowClick, caption }: DataTableProps<Row>) {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label={caption}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} w={column.width} ta={column.align}>
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={rowKey(row)}
              tabIndex={onRowClick ? 0 : undefined}
              style={onRowClick ? { cursor: 'pointer' } : undefined}
              onClick={onRowClick && (() => onRowClick(row))}
              onKeyDown={onRowClick && ((event) => event.key === 'Enter' && event.target === event.currentTarget && onRowClick(row))}
            >
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
