import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction } from '../../../../charts/format/format'
import { CellText } from '../../../../ui/cell-text'
import type { JudgedItem } from '../../api/types'
import { judgement } from '../../model/judged'
import { errorOf } from '../../model/judged-number'
import judged from '../judged-items.module.css'
import classes from './rows.module.css'

interface JudgedRowsProps {
  items: readonly JudgedItem[]
  /** As they are listed, the most important first. */
  columns: readonly string[]
}

/** Rows with truth and answer, their cells behind them; it scrolls by itself. */
export function JudgedRows({ items, columns }: JudgedRowsProps) {
  const { t } = useTranslation('models')
  const isNumber = items.some((item) => errorOf(item) !== null)
  return (
    <Table.ScrollContainer minWidth={Math.min(2400, 320 + columns.length * 110)}>
      <Table aria-label={t('rows.judged')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('items.truth')}</Table.Th>
            <Table.Th>{t('items.answer')}</Table.Th>
            <Table.Th ta="right">{t(isNumber ? 'rows.error' : 'items.score')}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} maw={200}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.item}>
              <Verdict item={item} />
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

function Verdict({ item }: { item: JudgedItem }) {
  const { t } = useTranslation('models')
  const error = errorOf(item)
  if (error) {
    return (
      <>
        <Table.Td className={classes.number}>{formatAmount(error.truth)}</Table.Td>
        <Table.Td className={classes.number}>{formatAmount(error.prediction)}</Table.Td>
        <Table.Td className={classes.number}>
          {error.error > 0 ? '+' : ''}
          {formatAmount(error.error)}
        </Table.Td>
      </>
    )
  }
  const { truth, answer, score_fraction, isRight } = judgement(item.truth, item.prediction, {})
  const names = (labels: string[]) => labels.join(', ') || t('items.nothing')
  return (
    <>
      <Table.Td>{names(truth)}</Table.Td>
      <Table.Td className={isRight ? undefined : judged.wrong}>{names(answer)}</Table.Td>
      <Table.Td className={classes.number}>{formatFraction(score_fraction)}</Table.Td>
    </>
  )
}
