import { Autocomplete, Slider, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { numberOf } from '../../../lib/table/cells'
import { KindIcon } from '../../../ui/kind-icon'
import { cellOf, decimalOf, type FieldLike, isUnreadable, pickerOf, sliderOf, unitBeside } from './row-form'
import classes from './row-form.module.css'

interface RowFieldProps {
  field: FieldLike
  cell: string
  /** Of the rows to begin with, so that a picker fits how the column is written. */
  examples: readonly string[]
  isChanged: boolean
  isDisabled: boolean
  onChange: (cell: string) => void
}

/** One column of the form: a number with its range, a category with its values, a date, a text. Empty means missing. */
export function RowField({ field, cell, examples, isChanged, isDisabled, onChange }: RowFieldProps) {
  const { t } = useTranslation('deployments')
  const common = {
    size: 'xs',
    label: (
      <span className={classes.label} data-changed={isChanged || undefined}>
        <KindIcon kind={field.kind} size={13} />
        <span title={field.name}>{field.name}</span>
      </span>
    ),
    placeholder: t('common:cell.missing'),
    disabled: isDisabled,
    'aria-label': field.name,
  } as const
  if (field.kind === 'category')
    return <Autocomplete {...common} value={cell} data={[...field.choices]} maxDropdownHeight={220} onChange={onChange} />
  if (field.kind === 'text')
    return (
      <Textarea
        {...common}
        className={classes.wide}
        minRows={2}
        maxRows={6}
        value={cell}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (field.kind === 'datetime') {
    const type = pickerOf(field, [...examples, cell])
    return <TextInput {...common} type={type} step={1} value={cell} onChange={(event) => onChange(event.currentTarget.value)} />
  }
  const unit = unitBeside(field, cell)
  const range = sliderOf(field, cell)
  const value = numberOf(cell, decimalOf(field), field.units)
  return (
    <div>
      <TextInput
        {...common}
        inputMode="decimal"
        rightSection={unit && <span className={classes.unit}>{unit}</span>}
        rightSectionWidth={unit ? `${unit.length + 2}ch` : undefined}
        error={isUnreadable(field, cell) && t('try.row.unreadable')}
        value={cell}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {range && (
        <Slider
          size="xs"
          mt={6}
          mb={2}
          thumbSize={12}
          label={null}
          {...range}
          disabled={isDisabled}
          thumbProps={{ 'aria-label': t('try.row.slider', { name: field.name }) }}
          value={Number.isFinite(value) ? value : range.min}
          onChange={(chosen) => onChange(cellOf(chosen, field))}
        />
      )}
    </div>
  )
}
