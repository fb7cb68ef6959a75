import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { useLocalText } from '../../../lib/local-text'
import { Section } from '../../../ui/section'
import type { ChartProps } from '../charts/chart'

/** The metrics of what training began with beside those of the model; nothing where they are not known. */
export function BaselineTable({ split, metrics }: Pick<ChartProps, 'split' | 'metrics'>) {
  const { t } = useTranslation('report')
  const text = useLocalText()
  const rows = metrics.filter(({ name }) => split.baseline[name] !== undefined && split.metrics[name] !== undefined)
  if (rows.length === 0) return null
  return (
    <Section title={t('similarity.baseline')} help={t('similarity.baseline_help')}>
      <Table.ScrollContainer minWidth={360}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('similarity.metric')}</Table.Th>
              <Table.Th ta="right">{t('similarity.before')}</Table.Th>
              <Table.Th ta="right">{t('similarity.after')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, title }) => (
              <Table.Tr key={name}>
                <Table.Td>{text(title)}</Table.Td>
                <Table.Td ta="right">{formatFraction(split.baseline[name] ?? 0)}</Table.Td>
                <Table.Td ta="right">{formatFraction(split.metrics[name] ?? 0)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  )
}
