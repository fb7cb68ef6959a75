import { Button, Drawer, Group, SegmentedControl, Stack, Text, Timeline } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Item } from '../../../lib/api/types'
import { CellText } from '../../../ui/cell-text'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useCellHistory } from '../api/cells'
import { cellOf } from '../model/cell-edits'
import { type CellChange, changesOf } from '../model/cell-history'

export interface LookedAt {
  item: Item
  /** The column that was asked from; null asks for the row. */
  column: string | null
}

interface RowHistoryDrawerProps {
  /** Null closes. */
  of: LookedAt | null
  /** Brings a former text of a cell back; absent for who may not. */
  onBack: ((item: Item, column: string, text: string) => void) | undefined
  /** Columns whose cells may be changed. */
  editable: ReadonlySet<string>
  onClose: () => void
}

const ROW = ' row'

/** Who changed what in a row, from what, and when; each former text can be had again. */
export function RowHistoryDrawer({ of, onClose, ...rest }: RowHistoryDrawerProps) {
  const { t } = useTranslation('cells')
  return (
    <Drawer opened={of !== null} onClose={onClose} position="right" size="sm" title={t('history.title')}>
      {of && <Changes key={`${of.item.id} ${of.column}`} of={of} {...rest} />}
    </Drawer>
  )
}

function Changes({ of: { item, column }, onBack, editable }: { of: LookedAt } & Pick<RowHistoryDrawerProps, 'onBack' | 'editable'>) {
  const { t } = useTranslation('cells')
  const [chosen, setChosen] = useState(column ?? ROW)
  const history = useCellHistory(item)
  return (
    <Stack gap="md">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {item.name}
      </Text>
      {column !== null && (
        <SegmentedControl
          size="xs"
          aria-label={t('history.what')}
          value={chosen}
          onChange={setChosen}
          data={[
            { value: column, label: column },
            { value: ROW, label: t('history.row') },
          ]}
        />
      )}
      {history.isPending ? (
        <LoadingState />
      ) : history.isLoadingError ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : (
        <Steps
          steps={changesOf(history.data.revisions, history.data.now.row?.cells ?? {}, chosen === ROW ? null : chosen)}
          now={history.data.now}
          onBack={onBack}
          editable={editable}
        />
      )}
    </Stack>
  )
}

interface StepsProps extends Pick<RowHistoryDrawerProps, 'onBack' | 'editable'> {
  steps: ReturnType<typeof changesOf>
  now: Item
}

function Steps({ steps, now, onBack, editable }: StepsProps) {
  const { t } = useTranslation('cells')
  if (!steps.length)
    return (
      <EmptyState icon={<IconHistory size={32} stroke={1.2} />} title={t('history.empty')}>
        {t('history.empty_text')}
      </EmptyState>
    )
  return (
    <Timeline active={0} bulletSize={14} lineWidth={2}>
      {steps.map(({ by, at, changes }) => (
        <Timeline.Item key={at} title={<Text size="sm">{by.name || t('data:source.person')}</Text>}>
          <Text size="xs" c="dimmed">
            <RelativeTime value={at} />
          </Text>
          {changes.map((change) => (
            <Change
              key={change.column}
              change={change}
              onBack={
                onBack && editable.has(change.column) && cellOf(now, change.column) !== change.from
                  ? () => onBack(now, change.column, change.from)
                  : undefined
              }
            />
          ))}
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

function Change({ change: { column, from, to }, onBack }: { change: CellChange; onBack: (() => void) | undefined }) {
  const { t } = useTranslation('cells')
  return (
    <Stack gap={2} mt={6}>
      <Text size="xs" fw={600}>
        {column}
      </Text>
      <Group gap="0 6px" fz="sm">
        <CellText cell={from} />
        <span aria-label={t('history.to')}>→</span>
        <CellText cell={to} />
      </Group>
      {onBack && (
        <Button size="compact-xs" variant="default" w="fit-content" maw="100%" onClick={onBack}>
          {t('history.back', { text: from || t('empty') })}
        </Button>
      )}
    </Stack>
  )
}
