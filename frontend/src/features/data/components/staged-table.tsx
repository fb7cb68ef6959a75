import { Badge, Group, Select, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { formatBytes } from '../../../lib/format'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { useTextColumns } from '../api/get-text-columns'
import type { TextColumns } from '../model/choose-columns'
import { ROWS, tableStart, type TableStart } from '../model/table-start'

const COLUMNS = 8

export interface ChosenColumns extends TextColumns {
  /** Of the file. */
  count: number
  separator: string
}

interface StagedTableProps {
  incoming: IncomingFile
  /** One column holds the items: it can be chosen. */
  readsColumns: boolean
  chosen: ChosenColumns | null
  onChoose: (columns: ChosenColumns) => void
}

/** A table before it is sent: its name, its columns and its first rows as they stand in the file, and which columns are read. */
export function StagedTable({ incoming: { file, path }, readsColumns, chosen, onChoose }: StagedTableProps) {
  const { t } = useTranslation('data')
  const key = ['table-start', path, file.size, file.lastModified]
  const start = useQuery({ queryKey: key, queryFn: () => tableStart(file), retry: false, staleTime: Infinity }).data
  const guessed = useTextColumns(start, { isEnabled: readsColumns }).data
  const found = guessed?.has_head && typeof guessed.text === 'number' ? { text: guessed.text, label: guessed.label } : null
  const read = chosen ?? found
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
                  <Table.Th key={place} c={read && place !== read.text && place !== read.label ? 'dimmed' : undefined}>
                    <Group gap={6} wrap="nowrap">
                      {name}
                      {place === read?.text && <Badge size="xs">{t('staged.text')}</Badge>}
                      {place === read?.label && (
                        <Badge size="xs" color="teal">
                          {t('staged.label')}
                        </Badge>
                      )}
                    </Group>
                  </Table.Th>
                ))}
                {more > 0 && <Table.Th c="dimmed">{t('staged.more', { count: more })}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {start.rows.slice(0, ROWS).map((row, line) => (
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
      {start && read && <ColumnFields start={start} read={read} onChoose={onChoose} />}
    </Stack>
  )
}

interface ColumnFieldsProps {
  start: TableStart
  read: TextColumns
  onChoose: (columns: ChosenColumns) => void
}

/** Which columns are read; the others are named, since nothing of them is kept. */
function ColumnFields({ start: { columns, separator }, read, onChoose }: ColumnFieldsProps) {
  const { t } = useTranslation('data')
  const choices = columns.map((name, place) => ({ value: String(place), label: name || t('staged.unnamed', { place: place + 1 }) }))
  const left = choices.filter((_, place) => place !== read.text && place !== read.label).map(({ label }) => label)
  const choose = (columns_read: TextColumns) => separator !== null && onChoose({ ...columns_read, count: columns.length, separator })
  const label = read.label === null ? null : String(read.label)
  return (
    <Stack gap={4} mt={4}>
      {separator !== null && (
        <Group gap="sm">
          <Select
            size="xs"
            label={t('staged.text_column')}
            value={String(read.text)}
            data={choices}
            allowDeselect={false}
            onChange={(value) => value && choose({ text: Number(value), label: value === label ? null : read.label })}
          />
          <Select
            size="xs"
            label={t('staged.label_column')}
            placeholder={t('staged.none')}
            value={label}
            data={choices.filter(({ value }) => value !== String(read.text))}
            clearable
            onChange={(value) => choose({ text: read.text, label: value === null ? null : Number(value) })}
          />
        </Group>
      )}
      {left.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('staged.left', { count: left.length, names: left })}
        </Text>
      )}
    </Stack>
  )
}
