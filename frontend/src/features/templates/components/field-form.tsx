import { Checkbox, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { type Details, type FieldKind, KINDS } from '../model/marks'
import { ColumnList } from './column-list'
import { ValueForm } from './value-form'

interface FieldFormProps {
  details: Details
  onChange: (change: Partial<Details>) => void
}

/** What a wanted field is called, and how its value is read. */
export function FieldForm({ details, onChange }: FieldFormProps) {
  const { t } = useTranslation('templates')
  const { kind, isRequired, name } = details
  return (
    <>
      <TextInput
        size="xs"
        label={t('mark.name')}
        maxLength={80}
        value={name}
        error={name.trim() ? null : t('fault.name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Select
        size="xs"
        label={t('mark.kind')}
        allowDeselect={false}
        data={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        value={kind}
        onChange={(value) => value && onChange({ kind: value as FieldKind })}
      />
      <ValueForm kind={kind} details={details} onChange={onChange} />
      {kind === 'table' && <ColumnList details={details} onChange={onChange} />}
      <Checkbox
        size="xs"
        label={t('mark.required')}
        checked={isRequired}
        onChange={(event) => onChange({ isRequired: event.currentTarget.checked })}
      />
    </>
  )
}
