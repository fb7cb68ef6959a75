import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { type Details, type FieldKind, KINDS, ORDERS, SEPARATORS } from '../model/marks'

interface FieldFormProps {
  details: Details
  onChange: (change: Partial<Details>) => void
}

/** What a wanted field is called, and how its value is read. */
export function FieldForm({ details, onChange }: FieldFormProps) {
  const { t } = useTranslation('templates')
  const { kind, order, separator, currency, choices, isRequired, name } = details
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
      {kind === 'choice' && (
        <TagsInput
          size="xs"
          label={t('mark.choices')}
          description={t('mark.choices_help')}
          value={[...choices]}
          error={choices.length ? null : t('fault.choices')}
          onChange={(values) => onChange({ choices: values })}
        />
      )}
      {kind === 'date' && (
        <Select
          size="xs"
          label={t('mark.order')}
          description={t('mark.order_help')}
          allowDeselect={false}
          data={ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
          value={order}
          onChange={(value) => value && onChange({ order: value as Details['order'] })}
        />
      )}
      {kind === 'amount' && (
        <TextInput
          size="xs"
          label={t('mark.currency')}
          description={t('mark.currency_help')}
          placeholder="EUR"
          maxLength={3}
          value={currency}
          error={/^([A-Z]{3})?$/.test(currency) ? null : t('fault.currency')}
          onChange={(event) => onChange({ currency: event.currentTarget.value.toUpperCase() })}
        />
      )}
      {(kind === 'amount' || kind === 'number') && (
        <Select
          size="xs"
          label={t('mark.separator')}
          placeholder={t('separator.any')}
          clearable
          data={SEPARATORS.map((value) => ({ value, label: t(value === '.' ? 'separator.point' : 'separator.comma') }))}
          value={separator}
          onChange={(value) => onChange({ separator: value as Details['separator'] })}
        />
      )}
      <Checkbox
        size="xs"
        label={t('mark.required')}
        checked={isRequired}
        onChange={(event) => onChange({ isRequired: event.currentTarget.checked })}
      />
    </>
  )
}
