import { Button, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../lib/format'
import { Section } from '../../../ui/section'
import { BaselineTable } from '../components/baseline-table'
import type { ChartProps, ReportChart } from './chart'

type Lines = NonNullable<ChartProps['split']['text_lines']>

/** How well lines of text are read: counts, the worst lines, and the characters that are confused most. */
function Chart({ split, metrics, onItem }: ChartProps) {
  const { t } = useTranslation('report')
  const { text_lines: lines } = split
  if (!lines) return null
  const counts = { right: formatNumber(lines.num_right), lines: formatNumber(lines.num_lines), found: formatNumber(lines.num_found) }
  return (
    <Stack>
      <Section title={t('text_lines.read', counts)} help={t('text_lines.read_help')}>
        <Text size="sm" c="dimmed">
          {t('text_lines.edits', {
            count: lines.num_edits,
            edits: formatNumber(lines.num_edits),
            characters: formatNumber(lines.num_true_characters),
          })}
        </Text>
      </Section>
      <BaselineTable split={split} metrics={metrics} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Wrong lines={lines} onItem={onItem} />
        <Confused lines={lines} />
      </SimpleGrid>
    </Stack>
  )
}

function Wrong({ lines, onItem }: { lines: Lines } & Pick<ChartProps, 'onItem'>) {
  const { t } = useTranslation('report')
  return (
    <Section title={t('text_lines.wrong')} help={t('text_lines.wrong_help')}>
      {lines.wrong.length === 0 && <Text size="sm">{t('text_lines.none_wrong')}</Text>}
      {lines.wrong.length > 0 && (
        <Table.ScrollContainer minWidth={360} mah={420}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('text_lines.expected')}</Table.Th>
                <Table.Th>{t('text_lines.read_as')}</Table.Th>
                <Table.Th ta="right">{t('text_lines.errors')}</Table.Th>
                <Table.Th>{t('text_lines.place')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.wrong.map(({ item, truth, given, num_edits }, place) => (
                <Table.Tr key={place}>
                  <Table.Td>{truth || '–'}</Table.Td>
                  <Table.Td>{given || '–'}</Table.Td>
                  <Table.Td ta="right">{num_edits}</Table.Td>
                  <Table.Td>
                    <Button variant="subtle" size="compact-xs" onClick={() => onItem(item)}>
                      {t('text_lines.show')}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  )
}

function Confused({ lines }: { lines: Lines }) {
  const { t } = useTranslation('report')
  return (
    <Section title={t('text_lines.confused')} help={t('text_lines.confused_help')}>
      {lines.confused.length === 0 && <Text size="sm">{t('text_lines.none_confused')}</Text>}
      {lines.confused.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('text_lines.expected')}</Table.Th>
              <Table.Th>{t('text_lines.read_as')}</Table.Th>
              <Table.Th ta="right">{t('text_lines.count')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.confused.map(({ truth, given, count }) => (
              <Table.Tr key={`${truth}/${given}`}>
                <Table.Td ff="monospace">{truth || '–'}</Table.Td>
                <Table.Td ff="monospace">{given || '–'}</Table.Td>
                <Table.Td ta="right">{formatNumber(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}

export default { name: 'text-lines', Chart } satisfies ReportChart
