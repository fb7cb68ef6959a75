import { Button, Group, Modal, NumberInput, Select, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { EmptyState } from '../../../../ui/empty-state'
import { ErrorState } from '../../../../ui/error-state'
import { KeyHint } from '../../../../ui/key-hint'
import { LoadingState } from '../../../../ui/loading-state'
import { useSuggestedItems } from '../../api/suggested-items'
import { BatchGrid } from './batch-grid'
import type { Suggested } from '../../model/batch'

interface BatchDialogProps {
  project: string
  labels: readonly string[]
  /** The label of the picture shown: the one that many more may carry. */
  first: string | null
  opened: boolean
  onClose: () => void
  onAccept: (items: Suggested[], label: string) => void
}

/** Pictures with the same suggestion, the surest first: those that are wrong are unticked, Enter takes the others. */
export function BatchDialog({ opened, onClose, ...rest }: BatchDialogProps) {
  const { t } = useTranslation('labelling')
  return (
    <Modal opened={opened} onClose={onClose} title={t('batch.title')} size="min(1100px, 94vw)">
      {opened && <Batch {...rest} onClose={onClose} />}
    </Modal>
  )
}

function Batch({ project, labels, first, onAccept, onClose }: Omit<BatchDialogProps, 'opened'>) {
  const { t } = useTranslation('labelling')
  const [label, setLabel] = useState(first ?? labels[0] ?? null)
  const [percent, setPercent] = useState(95)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const found = useSuggestedItems(project, label, percent / 100, true)
  const items = (found.data?.pages.flatMap((page) => page.items) ?? []).filter(({ item }) => !picked.has(item.id))
  const chosen = items.filter(({ item }) => !left.has(item.id))
  const accept = () => {
    if (!label || !chosen.length) return
    onAccept(chosen, label)
    setPicked(new Set([...picked, ...items.map(({ item }) => item.id)]))
    setLeft(new Set())
    if (found.hasNextPage) void found.fetchNextPage()
    else onClose()
  }
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
  return (
    <div
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target instanceof HTMLInputElement) return
        event.preventDefault()
        if (!event.repeat) accept()
      }}
    >
      <Group gap="sm" align="flex-end" mb="sm">
        <Select
          size="xs"
          w={200}
          label={t('batch.label')}
          data={[...labels]}
          value={label}
          onChange={setLabel}
          allowDeselect={false}
          searchable
        />
        <NumberInput
          size="xs"
          w={120}
          label={t('batch.at_least')}
          suffix=" %"
          min={50}
          max={100}
          step={1}
          value={percent}
          onChange={(value) => typeof value === 'number' && value >= 50 && setPercent(Math.min(100, value))}
        />
        <Text size="xs" c="dimmed" flex={1} aria-live="polite">
          {found.data && t('batch.found', { count: found.data.pages[0]?.total ?? 0 })}
        </Text>
        <Button
          disabled={!chosen.length}
          leftSection={<IconChecks size={15} />}
          rightSection={<KeyHint>Enter</KeyHint>}
          onClick={accept}
          data-autofocus
        >
          {t('batch.accept', { count: chosen.length, label })}
        </Button>
      </Group>
      {found.isPending ? (
        <LoadingState />
      ) : found.isLoadingError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : items.length ? (
        <BatchGrid items={items} left={left} onToggle={toggle} />
      ) : (
        <EmptyState icon={<IconChecks size={36} stroke={1.2} />} title={t('batch.none')}>
          {t('batch.none_text')}
        </EmptyState>
      )}
    </div>
  )
}
