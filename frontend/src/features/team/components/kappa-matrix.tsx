import { Table, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Report } from '../api/campaigns'
import { agreementWord } from '../model/progress'
import classes from './kappa-matrix.module.css'

/** Agreement of each pair of people; darker is better. */
export function KappaMatrix({ report }: { report: Report }) {
  const { t } = useTranslation('team')
  const names = new Map(report.people.map((one) => [one.person, one.name || t('somebody')]))
  const people = [...new Set(report.pairs.flatMap((pair) => [pair.first, pair.second]))]
  const pairOf = (one: string, other: string) =>
    report.pairs.find((pair) => (pair.first === one && pair.second === other) || (pair.first === other && pair.second === one))
  return (
    <Table.ScrollContainer minWidth={people.length * 64 + 120}>
      <Table withRowBorders={false} className={classes.matrix} aria-label={t('kappa.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {people.map((person) => (
              <Table.Th key={person} scope="col">
                {names.get(person)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((row) => (
            <Table.Tr key={row}>
              <Table.Th scope="row">{names.get(row)}</Table.Th>
              {people.map((column) => {
                const pair = pairOf(row, column)
                if (row === column || !pair) return <Table.Td key={column} className={classes.none} />
                const { kappa, num_items } = pair
                const label =
                  kappa === null
                    ? t('kappa.unknown', { count: num_items })
                    : `${t(`word.${agreementWord(kappa)}`)} · ${t('kappa.items', { count: num_items })}`
                return (
                  <Tooltip key={column} label={label}>
                    <Table.Td
                      className={classes.cell}
                      style={{ '--kappa': `${Math.round(100 * Math.max(0, kappa ?? 0))}%` }}
                      data-strong={(kappa ?? 0) > 0.55 || undefined}
                    >
                      {kappa === null ? '–' : kappa.toFixed(2)}
                    </Table.Td>
                  </Tooltip>
                )
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
