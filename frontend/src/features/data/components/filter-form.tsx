import { Autocomplete, Button, FocusTrap, Group, MultiSelect, NumberInput, Select, Stack, Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label, Split } from '../../../lib/api/types'
import { useFacets, useFactValues } from '../../../lib/dataset/facets'
import type { ItemFilter } from '../model/filter'
import { useFilterWords } from './use-filter-words'

interface FilterFormProps {
  dataset: string
  filter: ItemFilter
  labels: readonly Label[]
  onChange: (filter: ItemFilter) => void
}

const WHERE = ['present', 'quarantined', 'deleted'] as const

/** All conditions by which pictures can be chosen, with counts. */
export function FilterForm({ dataset, filter, labels, onChange }: FilterFormProps) {
  const { t } = useTranslation('data')
  const facets = useFacets(dataset).data
  const wordOf = useFilterWords(dataset)
  const numOf = new Map(facets?.labels.map(({ value, num_items }) => [value, num_items]))
  const choices = labels.map(({ name }) => ({ value: name, label: `${name} (${(numOf.get(name) ?? 0).toLocaleString()})` }))
  const where = { present: undefined, quarantined: facets?.quarantined, deleted: facets?.deleted }
  const common = { size: 'xs', comboboxProps: { withinPortal: false } } as const
  return (
    <Stack gap="xs">
      <FocusTrap.InitialFocus />
      <MultiSelect
        {...common}
        label={t('filter.label')}
        searchable
        clearable
        hidePickedOptions
        value={[...filter.label]}
        data={choices}
        onChange={(label) => onChange({ ...filter, label })}
      />
      <MultiSelect
        {...common}
        label={t('filter.without')}
        searchable
        clearable
        hidePickedOptions
        value={[...filter.without]}
        data={choices}
        onChange={(without) => onChange({ ...filter, without })}
      />
      <Group grow gap="xs">
        <Select
          {...common}
          label={t('filter.split')}
          clearable
          value={filter.split}
          data={facets?.splits.map(({ value, num_items }) => ({
            value,
            label: `${t(`split.${value as Split}`)} (${num_items.toLocaleString()})`,
          }))}
          onChange={(split) => onChange({ ...filter, split: split as Split | null })}
        />
        <Select
          {...common}
          label={t('filter.by')}
          clearable
          searchable
          value={filter.by}
          data={facets?.people.map(({ value, name, num_items }) => ({
            value,
            label: `${name || wordOf('by', value)} (${num_items.toLocaleString()})`,
          }))}
          onChange={(by) => onChange({ ...filter, by })}
        />
      </Group>
      <Group grow gap="xs">
        <Select
          {...common}
          label={t('filter.flag')}
          clearable
          value={filter.flag}
          nothingFoundMessage={t('filter.no_flags')}
          data={facets?.flags.map(({ value, num_items }) => ({ value, label: `${wordOf('flag', value)} (${num_items.toLocaleString()})` }))}
          onChange={(flag) => onChange({ ...filter, flag })}
        />
        <Select
          {...common}
          label={t('filter.where')}
          allowDeselect={false}
          value={filter.where}
          data={WHERE.map((value) => ({
            value,
            label: where[value] === undefined ? t(`where.${value}`) : `${t(`where.${value}`)} (${where[value].toLocaleString()})`,
          }))}
          onChange={(value) => onChange({ ...filter, where: value ?? 'present' })}
        />
      </Group>
      {facets && facets.metadata.length > 0 && (
        <MetadataField dataset={dataset} names={facets.metadata} filter={filter} onChange={onChange} />
      )}
      <Switch
        size="xs"
        label={t('filter.comments')}
        checked={filter.comments === 'open'}
        onChange={(event) => onChange({ ...filter, comments: event.currentTarget.checked ? 'open' : null })}
      />
      <Group grow gap="xs">
        {(['min_score', 'max_score'] as const).map((field) => (
          <NumberInput
            key={field}
            size="xs"
            label={t(`filter.${field}`)}
            min={0}
            max={1}
            step={0.05}
            decimalScale={3}
            value={filter[field] ?? ''}
            onChange={(value) => onChange({ ...filter, [field]: value === '' ? null : Number(value) })}
          />
        ))}
      </Group>
    </Stack>
  )
}

function MetadataField({ dataset, names, filter, onChange }: Omit<FilterFormProps, 'labels'> & { names: readonly string[] }) {
  const { t } = useTranslation('data')
  const [name, setName] = useState<string | null>(null)
  const [value, setValue] = useState('')
  const [prefix] = useDebouncedValue(value, 200)
  const values = useFactValues(dataset, name, prefix)
  const common = { size: 'xs', comboboxProps: { withinPortal: false } } as const
  const add = (chosen: string) => {
    if (!name || !chosen) return
    onChange({ ...filter, meta: [...filter.meta.filter((one) => !one.startsWith(`${name}=`)), `${name}=${chosen}`] })
    setName(null)
    setValue('')
  }
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Select {...common} flex={1} label={t('filter.meta')} searchable clearable value={name} data={[...names]} onChange={setName} />
      <Autocomplete
        {...common}
        flex={1}
        aria-label={t('filter.value')}
        placeholder={t('filter.value')}
        disabled={!name}
        value={value}
        data={values.data?.map((one) => one.value)}
        onChange={setValue}
        onOptionSubmit={add}
      />
      <Button size="xs" variant="default" disabled={!name || !value} onClick={() => add(value)}>
        {t('filter.add')}
      </Button>
    </Group>
  )
}
