import { Badge, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { saveFile } from '../../lib/save-file'
import { CopyButton } from '../copy-button'
import { type Column, DataTable } from '../data-table'
import classes from './form-reading.module.css'
import { columnsOf, fieldsCsv, type ReadField, type ReadForm, rowsOf, tableCsv, valuesJson, valueText } from './form-values'

type Problem = ReadField['problems'][number]

/** A form that was read: its fields over the picture, and beside it their values with the results of their checks. */
export function FormReading({ form, url }: { form: ReadForm; url: string }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Shown form={form} url={url} />
      <Stack gap="md" miw={0}>
        <Found form={form} />
        {form.fields.map((field) => (
          <FoundTable key={field.name} field={field} />
        ))}
      </Stack>
    </SimpleGrid>
  )
}

const corners = (points: readonly (readonly number[])[]) => points.map((point) => point.join()).join(' ')

function Shown({ form: { fields }, url }: { form: ReadForm; url: string }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const letter = size ? Math.max(size.width, size.height) / 60 : 0
  return (
    <div className={classes.shown}>
      <img
        src={url}
        alt=""
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize({ width: naturalWidth, height: naturalHeight })}
      />
      {size && (
        <svg className={classes.overlay} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden>
          {fields.map(({ name, points, problems, cells }) => (
            <g key={name} style={{ color: problems.length ? '#e03131' : '#2b8a3e' }}>
              <polygon points={corners(points)} />
              {cells?.map((cell) => (
                <polygon key={`${cell.row} ${cell.column}`} className={classes.cell} points={corners(cell.points)} />
              ))}
              <text x={points[0]?.[0]} y={(points[0]?.[1] ?? 0) - letter / 4} fontSize={letter}>
                {name}
              </text>
            </g>
          ))}
        </svg>
      )}
    </div>
  )
}

function Found({ form }: { form: ReadForm }) {
  const { t } = useTranslation('templates')
  const json = valuesJson(form)
  const { found, total } = form.references
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {t('try.references', { found, total })}
        </Text>
        <Group gap="xs">
          <SaveButton label="CSV" onClick={() => saveFile(fieldsCsv(form), 'text/csv', 'fields.csv')} />
          <SaveButton label="JSON" onClick={() => saveFile(json, 'application/json', 'fields.json')} />
          <CopyButton value={json} label={t('try.copy')} />
        </Group>
      </Group>
      <DataTable columns={useColumns()} rows={form.fields} rowKey={({ name }) => name} caption={t('try.title')} />
    </div>
  )
}

function SaveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}

function useColumns(): Column<ReadField>[] {
  const { t } = useTranslation('templates')
  return [
    {
      key: 'name',
      title: t('mark.name'),
      render: ({ name, kind }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {t(`kind.${kind as 'text'}`)}
          </Text>
        </>
      ),
    },
    { key: 'value', title: t('try.value'), render: (field) => <Value field={field} /> },
    {
      key: 'confidence',
      title: t('try.confidence'),
      width: 90,
      align: 'right',
      render: ({ text, confidence }) => (text ? formatFraction(confidence) : ''),
    },
  ]
}

function Value({ field }: { field: ReadField }) {
  const { t } = useTranslation('templates')
  const { value, text, cells, problems } = field
  const shown = Array.isArray(value) ? t('try.rows', { count: value.length }) : valueText(value)
  return (
    <>
      <Text size="sm" fw={600} className={classes.text}>
        {shown}
      </Text>
      {!cells && text !== shown && (
        <Text size="xs" c="dimmed" className={classes.text}>
          {text}
        </Text>
      )}
      <Group gap={4}>
        {[...new Set(problems.map(({ code }) => code))].map((code) => (
          <Badge key={code} color="red" variant="light" h="auto" style={{ whiteSpace: 'normal' }}>
            {t(`problem.${code as 'missing'}`)}
          </Badge>
        ))}
      </Group>
    </>
  )
}

/** The rows of a table; nothing of other fields. */
function FoundTable({ field }: { field: ReadField }) {
  const { t } = useTranslation('templates')
  const rows = rowsOf(field)
  if (!rows?.length) return null
  const columns = columnsOf(rows)
  const faultOf = (row: number, column: string): Problem | undefined =>
    field.problems.find((problem) => problem.row === row && problem.column === column)
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {field.name}
        </Text>
        <SaveButton label="CSV" onClick={() => saveFile(tableCsv(rows), 'text/csv', `${field.name}.csv`)} />
      </Group>
      <Table.ScrollContainer minWidth={Math.min(640, 92 * columns.length)}>
        <Table aria-label={field.name} fz="xs" horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, place) => (
              <Table.Tr key={place}>
                {columns.map((column) => {
                  const fault = faultOf(place, column)
                  const read = field.cells?.find((cell) => cell.row === place && cell.column === column)?.text
                  return (
                    <Table.Td key={column} className={fault && classes.doubtful}>
                      {valueText(row[column] ?? null) || (fault && read)}
                      {fault && (
                        <Text size="xs" c="red">
                          {t(`problem.${fault.code as 'missing'}`)}
                        </Text>
                      )}
                    </Table.Td>
                  )
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  )
}
