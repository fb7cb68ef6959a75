import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { IconFilterOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import type { Annotation, Item, Project } from '../../../lib/api/types'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { confirm } from '../../../ui/confirm'
import { notifyError } from '../../../ui/notify'
import { useChangeItems } from '../api/change-items'
import { type ItemFilter, NO_FILTER, useItems } from '../api/get-items'
import { everything, kept, NOTHING, type Selection } from '../model/selection'
import { FilterBar } from './filter-bar'
import { Gallery } from './gallery'
import { SelectionBar } from './selection-bar'
import { notifyUndo } from './undo-notice'

interface ItemsBrowserProps {
  project: Project
  byLabel: Record<string, number>
}

/** The gallery with its filters; what is selected can be labelled with one key, deleted, and brought back. */
export function ItemsBrowser({ project, byLabel }: ItemsBrowserProps) {
  const { t } = useTranslation('data')
  const navigate = useNavigate()
  const canLabel = useHasRole('labeller')
  const canDelete = useHasRole('engineer')
  const [filter, setFilter] = useState<ItemFilter>(NO_FILTER)
  const [q] = useDebouncedValue(filter.q, 250)
  const items = useItems(
    project.dataset,
    useMemo(() => ({ ...filter, q }), [filter, q]),
  )
  const shown = useMemo(() => items.data?.pages.flatMap((page) => page.items) ?? [], [items.data])
  const order = useMemo(() => shown.map((item) => item.id), [shown])
  const [chosen, setChosen] = useState<Selection>(NOTHING)
  const selection = useMemo(() => kept(chosen, order), [chosen, order])
  const change = useChangeItems(project.id, project.dataset)
  const labels = project.label_set.labels

  const label = (name: string | null) => {
    if (!canLabel || !selection.ids.size) return
    const annotations: Annotation[] | null = name === null ? null : [{ kind: 'class', label: name }]
    change.mutate({ kind: 'label', items: [...selection.ids], annotations }, { onError: notifyError })
  }
  const remove = () => {
    const ids = [...selection.ids]
    if (!canDelete || !ids.length) return
    const run = () =>
      change.mutate(
        { kind: 'delete', items: ids },
        {
          onError: notifyError,
          onSuccess: () => {
            notifyUndo(t('deleted', { count: ids.length }), () => change.mutate({ kind: 'restore', items: ids }, { onError: notifyError }))
          },
        },
      )
    if (ids.length < 50) run()
    else
      confirm({
        title: t('delete.title', { count: ids.length }),
        children: t('delete.text'),
        confirm: t('common:delete'),
        isDangerous: true,
        onConfirm: run,
      })
  }

  useHotkeys([
    ['mod+A', () => setChosen(everything(order))],
    ['Escape', () => setChosen(NOTHING)],
    ['Delete', remove],
    ['Backspace', remove],
    ...labels.slice(0, 9).map(({ name }, index): [string, () => void] => [String(index + 1), () => label(name)]),
    ['0', () => label(null)],
  ])
  const open = (item: Item) => void navigate(`../labelling?item=${item.id}`, { state: { ids: order } })
  const openSelected = () => {
    const ids = order.filter((id) => selection.ids.has(id))
    void navigate(`../labelling?item=${ids[0]}`, { state: { ids: ids.length > 1 ? ids : order } })
  }

  return (
    <>
      <FilterBar filter={filter} labels={labels} byLabel={byLabel} onChange={setFilter} />
      {items.isError ? (
        <ErrorState error={items.error} onRetry={() => void items.refetch()} />
      ) : items.isSuccess && !shown.length ? (
        <EmptyState icon={<IconFilterOff size={36} stroke={1.2} />} title={t('gallery.none')}>
          {t('gallery.none_text')}
        </EmptyState>
      ) : (
        <Gallery
          items={shown}
          labels={labels}
          isPending={items.isPending}
          isStale={items.isPlaceholderData}
          selection={selection}
          onSelect={setChosen}
          onOpen={open}
          onEnd={() => items.hasNextPage && !items.isFetchingNextPage && void items.fetchNextPage()}
        />
      )}
      <SelectionBar
        count={selection.ids.size}
        labels={labels}
        isBusy={change.isPending}
        onLabel={canLabel ? label : undefined}
        onDelete={canDelete ? remove : undefined}
        onOpen={openSelected}
        onClear={() => setChosen(NOTHING)}
      />
    </>
  )
}
