import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { type ColumnDetails, type Details, NO_COLUMN, VALUE_KINDS, type ValueKind } from '../model/marks'
import { ValueForm } from './value-form'

const MOST_COLUMNS = 40

interface ColumnListProps {
  details: Details
  onChange: (change: Partial<Details>) => void
}

/** The columns of a table, from the left. */
export function ColumnList({ details: { columns, hasHeader }, onChange }: ColumnListProps) {
  const { t } = useTranslation('templates')
  const change = (place: number, own: Partial<ColumnDetails>) =>
    onChange({ columns: columns.map((column, other) => (other === place ? { ...column, ...own } : column)) })
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {t('mark.table_help')}
      </Text>
      <Checkbox
        size="xs"
        label={t('mark.has_header')}
        checked={hasHeader}
        onChange={(event) => onChange({ hasHeader: event.currentTarget.checked })}
      />
      <Text size="xs" fw={600}>
        {t('mark.columns')}
      </Text>
      {columns.length === 0 && (
        <Text size="xs" c="dimmed">
          {t('mark.columns_help')}
        </Text>
      )}
      {columns.map((column, place) => (
        <Fieldset key={place} p={6} aria-label={t('mark.column', { number: place + 1 })}>
          <Group gap={4} wrap="nowrap" align="flex-end">
            <TextInput
              size="xs"
              style={{ flex: 1 }}
              aria-label={t('mark.column', { number: place + 1 })}
              placeholder={t('mark.column', { number: place + 1 })}
              maxLength={80}
              value={column.name}
              error={!column.name.trim()}
              onChange={(event) => change(place, { name: event.currentTarget.value })}
            />
            <Select
              size="xs"
              style={{ flex: 1 }}
              aria-label={`${t('mark.kind')}: ${column.name || place + 1}`}
              allowDeselect={false}
              data={VALUE_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
              value={column.kind}
              onChange={(value) => value && change(place, { kind: value as ValueKind })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('mark.remove_column', { name: column.name || place + 1 })}
              onClick={() => onChange({ columns: columns.filter((_, other) => other !== place) })}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Group>
          <ValueForm kind={column.kind} details={column} onChange={(own) => change(place, own)} />
        </Fieldset>
      ))}
      {columns.length < MOST_COLUMNS && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange({ columns: [...columns, NO_COLUMN] })}
        >
          {t('mark.add_column')}
        </Button>
      )}
    </Stack>
  )
}
