import { Button, Group, SegmentedControl, Slider, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { afterMutation } from '../../../lib/after-mutation'
import { confirm } from '../../../ui/confirm'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { notifyUndo } from '../../../ui/undo-notice'
import { type ActionKind, type Finding, type Kind, useAct, useFindings } from '../api/quality'
import { useTakeBack } from '../api/use-take-back'
import { actionForAll, clustersOf, isPaired } from '../model/kinds'
import { ActionBar } from './action-bar'
import { FindingCard } from './finding-card'
import classes from './quality.module.css'

interface FindingsProps {
  dataset: string
  kind: Kind
  canAct: boolean
  count: number
}

/** The pictures of one kind of finding, with the evidence, and what can be done about them. */
export function Findings({ dataset, kind, canAct, count }: FindingsProps) {
  const { t } = useTranslation('quality')
  const [minSeverity, setMinSeverity] = useState(0)
  const [isDismissed, setDismissed] = useState(false)
  const findings = useFindings(dataset, { kind, minSeverity, isDismissed })
  const rows = useMemo(() => findings.data?.pages.flatMap((page) => page.items) ?? [], [findings.data])
  const selection = useSelection(rows)
  const { act, isBusy } = useActing(dataset, kind, minSeverity, selection.clear)
  const isActive = canAct && !isDismissed
  useShortcuts('findings', { select_none: selection.clear })
  const all = actionForAll(kind)
  const askAll = () =>
    confirm({
      title: t(`all.${all}`),
      children: t(isPaired(kind) ? 'all.copies' : 'all.text', { count }),
      confirm: t(`action.${all}`),
      onConfirm: () => act(all, null),
    })
  return (
    <Section
      title={t(`kind.${kind}.title`)}
      help={t(`kind.${kind}.help`)}
      actions={
        isActive && rows.length > 0 ? (
          <Button loading={isBusy} onClick={askAll} style={{ flexShrink: 0 }}>
            {t(`all.${all}`)}
          </Button>
        ) : null
      }
    >
      <Stack>
        <Group justify="space-between" gap="lg">
          <SegmentedControl
            size="xs"
            value={isDismissed ? 'dismissed' : 'open'}
            onChange={(value) => {
              setDismissed(value === 'dismissed')
              selection.clear()
            }}
            data={[
              { value: 'open', label: t('show.open') },
              { value: 'dismissed', label: t('show.dismissed') },
            ]}
          />
          {kind !== 'exact_duplicate' && <Sureness onChange={setMinSeverity} />}
        </Group>
        {findings.isPending && <LoadingState rows={2} height={150} />}
        {findings.isLoadingError && <ErrorState error={findings.error} onRetry={() => void findings.refetch()} />}
        {findings.data && rows.length === 0 && (
          <EmptyState icon={<IconCircleCheck size={36} stroke={1.2} />} title={t(isDismissed ? 'none_dismissed' : 'none_open')} />
        )}
        <Pictures kind={kind} rows={rows} selected={selection.selected} onToggle={isActive ? selection.toggle : undefined} />
        <LoadMore query={findings} />
        {isActive && selection.selected.size > 0 && (
          <ActionBar
            kind={kind}
            count={selection.selected.size}
            isBusy={isBusy}
            onAct={(action) => act(action, [...selection.selected])}
            onAll={() => selection.all(rows)}
            onClear={selection.clear}
          />
        )}
      </Stack>
    </Section>
  )
}

function Sureness({ onChange }: { onChange: (value: number) => void }) {
  const { t } = useTranslation('quality')
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="xs" c="dimmed" id="sureness">
        {t('sureness.title')}
      </Text>
      <Slider
        w={160}
        size="sm"
        min={0}
        max={0.95}
        step={0.05}
        defaultValue={0}
        label={(value) => `${Math.round(value * 100)} %`}
        onChangeEnd={onChange}
        thumbProps={{ 'aria-labelledby': 'sureness' }}
      />
      <Text size="xs" c="dimmed">
        {t('sureness.end')}
      </Text>
    </Group>
  )
}

interface PicturesProps {
  kind: Kind
  rows: readonly Finding[]
  selected: ReadonlySet<string>
  onToggle?: (item: string, isRange: boolean) => void
}

function Pictures({ kind, rows, selected, onToggle }: PicturesProps) {
  const card = (finding: Finding) => (
    <FindingCard
      key={finding.item.id}
      finding={finding}
      isSelected={selected.has(finding.item.id)}
      onToggle={onToggle && ((isRange) => onToggle(finding.item.id, isRange))}
    />
  )
  if (!isPaired(kind)) return <ul className={classes.grid}>{rows.map(card)}</ul>
  return (
    <ul className={classes.clusters}>
      {clustersOf(rows).map((cluster) => (
        <li key={cluster.key} className={classes.cluster}>
          <ul className={classes.grid}>{cluster.findings.map(card)}</ul>
        </li>
      ))}
    </ul>
  )
}

function useSelection(rows: readonly Finding[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  return {
    selected,
    clear: () => setSelected(new Set()),
    all: (found: readonly Finding[]) => setSelected(new Set(found.map(({ item }) => item.id))),
    toggle: (item: string, isRange: boolean) => {
      const ids = rows.map((finding) => finding.item.id)
      const [from, to] = [ids.indexOf(last.current ?? item), ids.indexOf(item)].sort((one, other) => one - other) as [number, number]
      const touched = isRange && from >= 0 ? ids.slice(from, to + 1) : [item]
      setSelected((before) => {
        const after = new Set(before)
        const isOn = isRange || !before.has(item)
        for (const id of touched)
          if (isOn) after.add(id)
          else after.delete(id)
        return after
      })
      last.current = item
    },
  }
}

function useActing(dataset: string, kind: Kind, minSeverity: number, onDone: () => void) {
  const { t } = useTranslation('quality')
  const acting = useAct(dataset)
  const { takeBack, isPending } = useTakeBack()
  const act = (action: ActionKind, items: string[] | null) =>
    afterMutation(acting.mutateAsync({ action, kind, items, minSeverity: items === null ? minSeverity : 0 }), (done) => {
      onDone()
      notifyUndo(t(`done.${done.action}`, { count: done.num_items }), () => takeBack(done.id))
    })
  return { act, isBusy: acting.isPending || isPending }
}
