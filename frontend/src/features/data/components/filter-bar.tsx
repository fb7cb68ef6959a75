import { Button, Group, Indicator, Pill, Popover, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavigationType, useNavigationType } from 'react-router'

import type { Label } from '../../../lib/api/types'
import { chipsOf, type ItemFilter, NO_FILTER } from '../model/filter'
import { FilterForm } from './filter-form'
import { useFilterWords } from './use-filter-words'

interface FilterBarProps {
  dataset: string
  filter: ItemFilter
  labels: readonly Label[]
  onChange: (filter: ItemFilter) => void
  /** What stands at the end of the line. */
  children?: ReactNode
}

const STATES = ['all', 'unlabelled', 'annotated'] as const

/** What of the pictures is shown: the commonest conditions at hand, the others behind a button, each that holds as a chip. */
export function FilterBar({ dataset, filter, labels, onChange, children }: FilterBarProps) {
  const { t } = useTranslation('data')
  const wordOf = useFilterWords(dataset)
  const [text, setText] = useState(filter.q)
  const [isOpen, setOpen] = useState(false)
  const search = useDebouncedCallback((q: string) => onChange({ ...filter, q }), 250)
  const chips = chipsOf(filter)
  const navigation = useNavigationType()
  const [found, setFound] = useState(filter.q)
  if (filter.q !== found) {
    setFound(filter.q)
    // On the way back and forth the field follows; while somebody types, it is ahead.
    if (navigation === NavigationType.Pop) setText(filter.q)
  }
  return (
    <div role="search" aria-label={t('filter.title')}>
      <Group gap="xs" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('filter.state')}
          value={filter.state}
          onChange={(state) => onChange({ ...filter, state: state as ItemFilter['state'] })}
          data={STATES.map((value) => ({ value, label: t(`filter.${value}`) }))}
        />
        <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={340} shadow="md" trapFocus returnFocus>
          <Popover.Target>
            <Indicator disabled={!chips.length} label={chips.length} size={16} inline>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconAdjustmentsHorizontal size={14} />}
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {t('filter.more')}
              </Button>
            </Indicator>
          </Popover.Target>
          <Popover.Dropdown>
            <FilterForm dataset={dataset} filter={filter} labels={labels} onChange={onChange} />
          </Popover.Dropdown>
        </Popover>
        <TextInput
          size="xs"
          flex={1}
          miw={160}
          maw={320}
          type="search"
          leftSection={<IconSearch size={14} />}
          aria-label={t('filter.search')}
          placeholder={t('filter.search')}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
        />
        <Group gap="xs" ml="auto">
          {children}
        </Group>
      </Group>
      {chips.length > 0 && (
        <Group gap={6} mb="sm" aria-label={t('filter.active')} role="list">
          {chips.map(({ field, value, rest }) => (
            <Pill
              key={`${field} ${value}`}
              role="listitem"
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('filter.remove', { name: wordOf(field, value) }) }}
              onRemove={() => onChange(rest)}
            >
              {wordOf(field, value)}
            </Pill>
          ))}
          <Button size="compact-xs" variant="subtle" onClick={() => onChange({ ...NO_FILTER, state: filter.state, q: filter.q })}>
            {t('filter.reset')}
          </Button>
        </Group>
      )}
    </div>
  )
}
