import { Badge, Group, Select, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../../../lib/api/errors'
import { formatBytes } from '../../../lib/format'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { ErrorState } from '../../../ui/error-state'
import { useTablePreview } from '../api/get-table-preview'
import { type TableOptions, type TablePreview, withOption } from '../model/table-preview'
import { TableOptionFields } from './table-option-fields'

const COLUMNS = 8
const ROWS = 4
const SKELETON_PX = 150

interface StagedTableProps {
  dataset: string
  incoming: IncomingFile
  chosen: TableOptions
  onChoose: (chosen: TableOptions) => void
}

/** A table before it is sent: how it is read, its columns and its first rows, and what can be chosen where that is wrong. */
export function StagedTable({ dataset, incoming, chosen, onChoose }: StagedTableProps) {
  const { t } = useTranslation('data')
  const { data, error, isPending } = useTablePreview(dataset, incoming, chosen)
  const guessed = useTablePreview(dataset, incoming, {}).data
  const { file, path } = incoming
  const offered = offeredIn(error) ?? data?.offered ?? []
  const shown = error ? null : data
  return (
    <Stack gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {path}{' '}
        <Text span size="xs" c="dimmed">
          {formatBytes(file.size)}
          {shown && ` · ${t('staged.columns', { count: shown.columns.length })}`}
        </Text>
      </Text>
      {isPending && <Skeleton height={SKELETON_PX} />}
      {offered.length > 0 && (
        <TableOptionFields
          offered={offered}
          sheets={(data ?? guessed)?.sheets ?? []}
          read={{ ...(data ?? guessed)?.options, ...chosen }}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {error && <ErrorState error={error} />}
      {shown && <FirstRows path={path} preview={shown} />}
      {shown && offered.includes('columns') && <ColumnFields preview={shown} chosen={chosen} onChoose={onChoose} />}
    </Stack>
  )
}

/** What can be chosen of a table that cannot be read as it is. */
function offeredIn(error: unknown): string[] | null {
  const offered = error instanceof ApiError ? error.extra.offered : null
  return Array.isArray(offered) ? offered.map(String) : null
}

function FirstRows({ path, preview: { columns, rows, options } }: { path: string; preview: TablePreview }) {
  const { t } = useTranslation('data')
  const more = columns.length - COLUMNS
  const { text, label } = options.columns ?? {}
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table withTableBorder withColumnBorders fz="xs" aria-label={t('staged.first_rows', { name: path })}>
        <Table.Thead>
          <Table.Tr>
            {columns.slice(0, COLUMNS).map((name, place) => (
              <Table.Th key={place} c={name ? undefined : 'dimmed'}>
                <Group gap={6} wrap="nowrap">
                  {name || t('staged.unnamed', { place: place + 1 })}
                  {place === text && <Badge size="xs">{t('staged.text')}</Badge>}
                  {place === label && (
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
          {rows.slice(0, ROWS).map((row, line) => (
            <Table.Tr key={line}>
              {columns.slice(0, COLUMNS).map((_, place) => (
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
  )
}

interface ColumnFieldsProps {
  preview: TablePreview
  chosen: TableOptions
  onChoose: (chosen: TableOptions) => void
}

/** Which column holds the items and which their labels; the others are named, since they are kept too. */
function ColumnFields({ preview: { columns, options, metadata, is_fit }, chosen, onChoose }: ColumnFieldsProps) {
  const { t } = useTranslation('data')
  const choices = columns.map((name, place) => ({ value: String(place), label: name || t('staged.unnamed', { place: place + 1 }) }))
  const items = options.columns?.text ?? null
  const label = options.columns?.label ?? null
  const choose = (text: number, label: number | null) => onChoose(withOption(chosen, 'columns', { text, label }))
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Select
          size="xs"
          label={t('staged.text_column')}
          placeholder={t('staged.choose_column')}
          value={items === null ? null : String(items)}
          data={choices}
          allowDeselect={false}
          onChange={(value) => value && choose(Number(value), Number(value) === label ? null : label)}
        />
        {items !== null && (
          <Select
            size="xs"
            label={t('staged.label_column')}
            placeholder={t('staged.none')}
            value={label === null ? null : String(label)}
            data={choices.filter(({ value }) => value !== String(items))}
            clearable
            onChange={(value) => choose(items, value === null ? null : Number(value))}
          />
        )}
      </Group>
      <Text size="xs" c="dimmed" mih={18}>
        {!is_fit && t('staged.unfit')}
        {metadata.length > 0 && t('staged.metadata', { count: metadata.length, names: metadata })}
      </Text>
    </Stack>
  )
}
