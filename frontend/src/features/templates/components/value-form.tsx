import { Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { type FieldKind, ORDERS, SEPARATORS, type ValueDetails } from '../model/marks'

interface ValueFormProps {
  kind: FieldKind
  details: ValueDetails
  onChange: (change: Partial<ValueDetails>) => void
}

/** How a value of a kind is read; nothing of kinds that need no more. */
export function ValueForm({ kind, details: { order, separator, currency, choices }, onChange }: ValueFormProps) {
  const { t } = useTranslation('templates')
  return (
    <>
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
          onChange={(value) => value && onChange({ order: value as ValueDetails['order'] })}
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
          onChange={(value) => onChange({ separator: value as ValueDetails['separator'] })}
        />
      )}
    </>
  )
}
