import { MultiSelect, SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { useFacets } from '../../../lib/dataset/facets'
import { formatNumber } from '../../../lib/format'
import { useProject } from '../../../lib/project/project'
import type { Split } from '../../../lib/api/types'
import type { ItemChoice } from '../model/prediction-form'

const STATES = ['all', 'unlabelled', 'annotated'] as const

interface ItemFieldsProps {
  choice: ItemChoice
  onChange: (choice: ItemChoice) => void
}

/** Which of what is in the project, by the conditions of the data page that matter here. */
export function ItemFields({ choice, onChange }: ItemFieldsProps) {
  const { t } = useTranslation('predictions')
  const facets = useFacets(useProject().data?.dataset ?? '').data
  const { hasLabels } = useAnswerKind()
  const canHaveLabels = hasLabels && choice.state !== 'unlabelled' && (facets?.labels.length ?? 0) > 0
  const hasSplits = (facets?.splits.length ?? 0) > 0
  const change = (changes: Partial<ItemChoice>) => onChange({ ...choice, ...changes })
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-label={t('data:filter.state')}
        value={choice.state}
        onChange={(state) => change({ state: state as ItemChoice['state'], ...(state === 'unlabelled' && { labels: [] }) })}
        data={STATES.map((value) => ({ value, label: t(`data:filter.${value}`) }))}
      />
      <SimpleGrid cols={2} spacing="sm">
        {canHaveLabels && (
          <MultiSelect
            size="xs"
            label={t('data:filter.label')}
            searchable
            clearable
            hidePickedOptions
            value={[...choice.labels]}
            data={facets?.labels.map(({ value, num_items }) => ({ value, label: `${value} (${formatNumber(num_items)})` }))}
            onChange={(labels) => change({ labels })}
          />
        )}
        {hasSplits && (
          <Select
            size="xs"
            label={t('data:filter.split')}
            clearable
            value={choice.split}
            data={facets?.splits.map(({ value, num_items }) => ({
              value,
              label: `${t(`charts:split.${value as Split}`)} (${formatNumber(num_items)})`,
            }))}
            onChange={(split) => change({ split: split as Split | null })}
          />
        )}
      </SimpleGrid>
      <TextInput
        size="xs"
        type="search"
        leftSection={<IconSearch size={14} />}
        aria-label={t('data:filter.search')}
        placeholder={t('data:filter.search')}
        value={choice.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    </Stack>
  )
}
