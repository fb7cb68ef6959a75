import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { formatBytes } from '../../../lib/format'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { tableStart } from '../model/table-start'

const COLUMNS = 8

/** A table before it is sent: its name, its columns and its first rows as they stand in the file. */
export function StagedTable({ incoming: { file, path } }: { incoming: IncomingFile }) {
  const { t } = useTranslation('data')
  const key = ['table-start', path, file.size, file.lastModified]
  const start = useQuery({ queryKey: key, queryFn: () => tableStart(file), retry: false, staleTime: Infinity }).data
  const more = (start?.columns.length ?? 0) - COLUMNS
  return (
    <Stack gap={4}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {path}{' '}
        <Text span size="xs" c="dimmed">
          {formatBytes(file.size)}
          {start && ` · ${t('staged.columns', { count: start.columns.length })}`}
        </Text>
      </Text>
      {start && (
        <Table.ScrollContainer minWidth={0}>
          <Table withTableBorder withColumnBorders fz="xs" aria-label={t('staged.first_rows', { name: path })}>
            <Table.Thead>
              <Table.Tr>
                {start.columns.slice(0, COLUMNS).map((name, place) => (
                  <Table.Th key={place}>{name}</Table.Th>
                ))}
                {more > 0 && <Table.Th c="dimmed">{t('staged.more', { count: more })}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {start.rows.map((row, line) => (
                <Table.Tr key={line}>
                  {start.columns.slice(0, COLUMNS).map((_, place) => (
                    <Table.Td key={place} maw={240}>
                      <Text inherit truncate>
                        {row[place]}
                      </Text>
                    </Table.Td>
                  ))}
                  {more > 0 && <Table.Td />}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  )
}
