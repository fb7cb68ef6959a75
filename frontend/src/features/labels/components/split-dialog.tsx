import { ActionIcon, Autocomplete, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Label } from '../../../lib/api/types'
import { useFacets, useFactValues } from '../../../lib/dataset/facets'
import { valuesOf } from '../model/attributes'
import { emptyPart, type PartDraft, splitPlan } from '../model/split'
import { ChangeDialog } from './change-dialog'

interface SplitDialogProps {
  project: string
  dataset: string
  source: Label
  onDone: (change: string) => void
  onClose: () => void
}

/** Splits a label into several, by metadata of the picture or attributes of the object. */
export function SplitDialog({ project, dataset, source, onDone, onClose }: SplitDialogProps) {
  const { t } = useTranslation('labels')
  const [by, setBy] = useState<'metadata' | 'attribute'>('metadata')
  const fields = useFacets(dataset).data?.metadata ?? []
  const [parts, setParts] = useState<PartDraft[]>([emptyPart()])
  const draft = useMemo(() => splitPlan(source.name, by, parts), [source.name, by, parts])
  const [plan] = useDebouncedValue(draft, 300)
  const change = (index: number, field: Partial<PartDraft>) =>
    setParts(parts.map((part, at) => (at === index ? { ...part, ...field } : part)))
  return (
    <ChangeDialog
      project={project}
      title={t('split_dialog.title', { name: source.name })}
      action={t('split_dialog.action')}
      plan={plan}
      onDone={onDone}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('split_dialog.text', { name: source.name })}
      </Text>
      <SegmentedControl
        value={by}
        onChange={(value) => setBy(value as typeof by)}
        data={(['metadata', 'attribute'] as const).map((value) => ({ value, label: t(`split_dialog.${value}`) }))}
      />
      <Stack gap="xs">
        {parts.map((part, index) => (
          <Group key={part.key} gap="xs" wrap="nowrap" align="flex-end">
            <Autocomplete
              flex={1}
              data-autofocus={index === 0 || undefined}
              openOnFocus={false}
              label={t(`split_dialog.name_${by}`)}
              data={by === 'metadata' ? fields : (source.attributes ?? []).map(({ name }) => name)}
              value={part.name}
              onChange={(name) => change(index, { name })}
            />
            <ValueInput dataset={dataset} label={source} by={by} part={part} onChange={(value) => change(index, { value })} />
            <TextInput
              flex={1}
              label={t('split_dialog.label')}
              value={part.label}
              onChange={(event) => change(index, { label: event.currentTarget.value })}
            />
            <ActionIcon
              mb={4}
              aria-label={t('split_dialog.remove')}
              disabled={parts.length === 1}
              onClick={() => setParts(parts.filter((_, at) => at !== index))}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => setParts([...parts, emptyPart()])}>
            {t('split_dialog.more')}
          </Button>
        </div>
      </Stack>
    </ChangeDialog>
  )
}

interface ValueInputProps {
  dataset: string
  label: Label
  by: 'metadata' | 'attribute'
  part: PartDraft
  onChange: (value: string) => void
}

/** A value of the field chosen; those that are there are offered. */
function ValueInput({ dataset, label, by, part, onChange }: ValueInputProps) {
  const { t } = useTranslation('labels')
  const [name] = useDebouncedValue(part.name.trim(), 200)
  const [prefix] = useDebouncedValue(part.value, 200)
  const there = useFactValues(dataset, by === 'metadata' && name ? name : null, prefix).data ?? []
  return (
    <Autocomplete
      flex={1}
      label={t('split_dialog.value')}
      data={by === 'metadata' ? there.map(({ value }) => value) : valuesOf(label, name)}
      value={part.value}
      onChange={onChange}
    />
  )
}
