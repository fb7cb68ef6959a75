import { ActionIcon, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { emptyPart, type PartDraft, splitPlan } from '../model/split'
import { ChangeDialog } from './change-dialog'

interface SplitDialogProps {
  project: string
  source: string
  onDone: (change: string) => void
  onClose: () => void
}

/** Parts of a label become labels of their own, told apart by metadata of the picture or attributes of the object. */
export function SplitDialog({ project, source, onDone, onClose }: SplitDialogProps) {
  const { t } = useTranslation('labels')
  const [by, setBy] = useState<'metadata' | 'attribute'>('metadata')
  const [parts, setParts] = useState<PartDraft[]>([emptyPart()])
  const draft = useMemo(() => splitPlan(source, by, parts), [source, by, parts])
  const [plan] = useDebouncedValue(draft, 300)
  const change = (index: number, field: Partial<PartDraft>) =>
    setParts(parts.map((part, at) => (at === index ? { ...part, ...field } : part)))
  return (
    <ChangeDialog
      project={project}
      title={t('split_dialog.title', { name: source })}
      action={t('split_dialog.action')}
      plan={plan}
      onDone={onDone}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('split_dialog.text', { name: source })}
      </Text>
      <SegmentedControl
        value={by}
        onChange={(value) => setBy(value as typeof by)}
        data={(['metadata', 'attribute'] as const).map((value) => ({ value, label: t(`split_dialog.${value}`) }))}
      />
      <Stack gap="xs">
        {parts.map((part, index) => (
          <Group key={part.key} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              label={t(`split_dialog.name_${by}`)}
              value={part.name}
              onChange={(event) => change(index, { name: event.currentTarget.value })}
            />
            <TextInput
              flex={1}
              label={t('split_dialog.value')}
              value={part.value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
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
