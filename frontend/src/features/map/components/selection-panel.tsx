import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconArchive, IconPhotoSearch, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { IdThumb } from '../../../items/id-thumb'
import type { Change } from '../api/change-items'
import classes from './map.module.css'

const SHOWN = 12

interface SelectionPanelProps {
  items: readonly string[]
  labels: readonly string[]
  canLabel: boolean
  canDelete: boolean
  isBusy: boolean
  onAct: (change: Change) => void
  onSimilar: (item: string) => void
  onClear: () => void
}

/** What was selected, and what can be done with it. */
export function SelectionPanel({ items, labels, canLabel, canDelete, isBusy, ...on }: SelectionPanelProps) {
  const { t } = useTranslation('map')
  const [label, setLabel] = useState<string | null>(null)
  const first = items[0]
  if (first === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {t('selection.none')}
      </Text>
    )
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600} size="sm" aria-live="polite">
          {t('selection.count', { count: items.length })}
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={on.onClear}>
          {t('selection.clear')}
        </Button>
      </Group>
      <div className={classes.thumbs}>
        {items.slice(0, SHOWN).map((item) => (
          <IdThumb key={item} item={item} lines={2} />
        ))}
      </div>
      {canLabel && labels.length > 0 && (
        <Group gap={6} wrap="nowrap" align="flex-end">
          <Select
            flex={1}
            size="sm"
            label={t('selection.label')}
            placeholder={t('selection.choose')}
            data={[...labels]}
            value={label}
            onChange={setLabel}
            searchable
          />
          <Button size="sm" disabled={label === null} loading={isBusy} onClick={() => label !== null && on.onAct({ kind: 'label', label })}>
            {t('selection.apply')}
          </Button>
        </Group>
      )}
      <Group gap={6}>
        {items.length === 1 && (
          <Button size="compact-sm" variant="default" leftSection={<IconPhotoSearch size={15} />} onClick={() => on.onSimilar(first)}>
            {t('similar.show')}
          </Button>
        )}
        {canDelete && (
          <>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconArchive size={15} />}
              disabled={isBusy}
              onClick={() => on.onAct({ kind: 'quarantine' })}
            >
              {t('selection.quarantine')}
            </Button>
            <Button
              size="compact-sm"
              variant="light"
              color="red"
              leftSection={<IconTrash size={15} />}
              disabled={isBusy}
              onClick={() => on.onAct({ kind: 'delete' })}
            >
              {t('selection.delete')}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  )
}
