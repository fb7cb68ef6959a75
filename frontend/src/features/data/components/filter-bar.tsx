import { Group, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Label, Split } from '../../../lib/api/types'
import type { ItemFilter } from '../api/get-items'

interface FilterBarProps {
  filter: ItemFilter
  labels: readonly Label[]
  byLabel: Record<string, number>
  onChange: (filter: ItemFilter) => void
}

const STATES = ['all', 'unlabelled', 'annotated'] as const
const SPLITS: readonly Split[] = ['train', 'validation', 'test']

/** What of the pictures is shown. */
export function FilterBar({ filter, labels, byLabel, onChange }: FilterBarProps) {
  const { t } = useTranslation('data')
  return (
    <Group gap="xs" mb="sm" role="search" aria-label={t('filter.title')}>
      <SegmentedControl
        size="xs"
        aria-label={t('filter.state')}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state: state as ItemFilter['state'] })}
        data={STATES.map((value) => ({ value, label: t(`filter.${value}`) }))}
      />
      <Select
        size="xs"
        w={200}
        clearable
        searchable
        aria-label={t('filter.label')}
        placeholder={t('filter.label')}
        value={filter.label}
        onChange={(label) => onChange({ ...filter, label })}
        data={labels.map(({ name }) => ({ value: name, label: `${name} (${byLabel[name] ?? 0})` }))}
      />
      <Select
        size="xs"
        w={140}
        clearable
        aria-label={t('filter.split')}
        placeholder={t('filter.split')}
        value={filter.split}
        onChange={(split) => onChange({ ...filter, split: split as Split | null })}
        data={SPLITS.map((value) => ({ value, label: t(`split.${value}`) }))}
      />
      <TextInput
        size="xs"
        flex={1}
        miw={160}
        maw={320}
        type="search"
        leftSection={<IconSearch size={14} />}
        aria-label={t('filter.search')}
        placeholder={t('filter.search')}
        value={filter.q}
        onChange={(event) => onChange({ ...filter, q: event.currentTarget.value })}
      />
    </Group>
  )
}
