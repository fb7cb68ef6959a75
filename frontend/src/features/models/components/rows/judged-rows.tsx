import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../../answers'
import { CellText } from '../../../../ui/cell-text'
import type { JudgedItem } from '../../api/types'

interface JudgedRowsProps {
  items: readonly JudgedItem[]
  /** As they are listed, the most important first. */
  columns: readonly string[]
  thresholds: Record<string, number>
  /** Shows one of them large. */
  onItem: (item: string) => void
}

/** Rows with truth and answer, their cells behind them; it scrolls by itself. */
export function JudgedRows({ items, columns, thresholds, onItem }: JudgedRowsProps) {
  const { t } = useTranslation('report')
  const { judgedRow } = useAnswerKind()
  if (!judgedRow) return null
  const { title, Cells } = judgedRow
  return (
    <Table.ScrollContainer minWidth={Math.min(2400, 320 + columns.length * 110)}>
      <Table aria-label={t('rows.judged')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('items.truth')}</Table.Th>
            <Table.Th>{t('items.answer')}</Table.Th>
            <Table.Th ta="right">{t(title)}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} maw={200}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr
              key={item.item}
              tabIndex={0}
              data-item={item.item}
              aria-label={t('items.open', { name: item.name })}
              style={{ cursor: 'zoom-in' }}
              onClick={() => onItem(item.item)}
              onKeyDown={(event) => event.key === 'Enter' && onItem(item.item)}
            >
              <Cells item={item} thresholds={thresholds} />
              {columns.map((column) => (
                <Table.Td key={column}>
                  <CellText cell={item.row?.[column]} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
