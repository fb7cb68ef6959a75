import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import i18next from 'i18next'
import { type ComponentProps, type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { ofLabels } from '../../../answers/annotations'
import { useItemKind } from '../../../items'
import type { Annotation, Item, Project } from '../../../lib/api/types'
import { useHasRole } from '../../../lib/session/session'
import { useColumns } from '../../../lib/table/columns'
import { useProfile } from '../../../lib/table/profile'
import { useEarlyKeys } from '../../../lib/shortcuts/use-loose-keys'
import { useActionOf, useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { afterMutation } from '../../../lib/after-mutation'
import { confirm } from '../../../ui/confirm'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone, notifyError } from '../../../ui/notify'
import { ShortcutsDialog } from '../../../ui/shortcuts/shortcuts-dialog'
import { notifyUndo } from '../../../ui/undo-notice'
import { type Change, type Target, useChangeItems, useUndoItemChanges } from '../api/change-items'
import { useWall } from '../api/use-wall'
import { filterOf, type ItemFilter, isFiltered, NO_FILTER, searchOf } from '../model/filter'
import { type ClickKeys, clicked, EVERYTHING, NOTHING, numChosen, ranged, rangeOf, type Selection } from '../model/selection'
import { takesOutOf } from '../model/standing'
import { columnFilterOf, withColumnFilter } from '../model/cell-tests'
import { directionOf, type Order, orderOf, withOrder } from '../model/order'
import type { Wall } from '../model/wall'
import type { TileSize } from '../model/wall-layout'
import { ColumnMenu } from './column-menu'
import { CommentsDrawer } from './comments-drawer'
import { FilterBar } from './filter-bar'
import { Gallery } from './gallery'
import { OrderSelect } from './order-select'
import { RecentChanges } from './recent-changes'
import { RowGrid } from './row-grid'
import { SelectionBar } from './selection-bar'
import { TileSizes } from './tile-sizes'
import { useStanding } from './use-standing'

/** So many pictures are deleted without asking; everything can be undone. */
const ASKS_FROM = 50
/** A range is loaded to know its pictures; beyond this the filter is the better tool. */
const RANGE_MAX = 5000
/** Neighbours that the labelling page can step through. */
const NEIGHBOURS = 500

/** Keys that lead through the items, besides those of the scope. */
const WALKING = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown', ' ', 'Enter'])

/** The gallery or the grid with its filters; what is selected can be labelled with one key, deleted, and brought back. */
export function ItemsBrowser({ project }: { project: Project }) {
  const { t } = useTranslation('data')
  const [search, setSearch] = useSearchParams()
  const filter = useMemo(() => filterOf(search), [search])
  const order = orderOf(search)
  const { wall, state } = useWall(project.dataset, filter, order)
  const { selection, setSelection, at, setAt, discussed, discuss, leave } = useStanding()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const count = numChosen(selection, state.total)
  const labels = project.label_set.labels

  const choose = (after: ItemFilter) => {
    leave()
    // Each filter is a step back; what is typed letter by letter is not.
    setSearch(withOrder(searchOf(after), order), { replace: after.q !== filter.q })
  }
  const sort = (next: Order | null) => {
    leave()
    setSearch(withOrder(searchOf(filter), next), { replace: true })
  }
  const act = useActions(project, filter, selection, count, () => setSelection((now) => (now === selection ? NOTHING : now)))
  const label = (name: string | null | undefined) => name !== undefined && act.label(name)
  useShortcuts('gallery', {
    select_all: () => setSelection(EVERYTHING),
    select_none: () => setSelection(NOTHING),
    unlabel: () => label(null),
    delete: () => act.remove(),
    comment: () => discuss(selection.anchor === null ? null : (wall.at(selection.anchor)?.id ?? null)),
    help: () => setHelpOpen(true),
    ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`label_${index + 1}`, () => label(labels[index]?.name)])),
  })
  const { open, openSelected } = useOpening(wall, selection)
  const actionOf = useActionOf('gallery')
  useEarlyKeys(!state.isPending, (event) => WALKING.has(event.key) || actionOf(event) !== undefined)
  const canLabel = useHasRole('labeller')
  const { wall: look } = useItemKind()
  const [size, setSize] = useLocalStorage<TileSize>({ key: 'modelyard.tile-size', defaultValue: 'medium' })
  const shown = {
    wall,
    state,
    labels,
    selection,
    at,
    onAt: setAt,
    onSelect: (place: number, id: string, keys: ClickKeys) => void select(wall, selection, place, id, keys, setSelection),
    onOpen: open,
    onDiscuss: (item: Item) => discuss(item.id),
  }

  // Without the rows there are no heads to choose another order by.
  const unsort = order && <Button onClick={() => sort(null)}>{t('order.undo')}</Button>

  return (
    <>
      <FilterBar key={project.id} dataset={project.dataset} filter={filter} labels={labels} onChange={choose}>
        <Text size="xs" c="dimmed" aria-live="polite">
          {(state.total > 0 || (state.error === null && !state.isPending)) &&
            t(state.isSearching ? 'gallery.searching' : 'gallery.total', { count: state.total, shown: state.total.toLocaleString() })}
        </Text>
        {look.form !== 'sheet' && <OrderSelect order={order} onChange={sort} />}
        {look.form !== 'sheet' && <TileSizes form={look.form} size={size} onChange={setSize} />}
        <RecentChanges project={project} />
        <Tooltip label={t('gallery.keys')}>
          <ActionIcon variant="default" size="md" aria-label={t('gallery.keys')} onClick={() => setHelpOpen(true)}>
            <IconKeyboard size={16} />
          </ActionIcon>
        </Tooltip>
      </FilterBar>
      {state.error && state.total === 0 ? (
        <ErrorState error={state.error} onRetry={() => void wall.start()} action={unsort} />
      ) : !state.isPending && !state.isSearching && state.total === 0 ? (
        <EmptyState
          drawing="nothing_found"
          title={t('gallery.none')}
          action={
            isFiltered(filter) && (
              <Button variant="default" onClick={() => choose(NO_FILTER)}>
                {t('filter.reset')}
              </Button>
            )
          }
        >
          {t('gallery.none_text')}
        </EmptyState>
      ) : (
        <>
          {state.error != null && <ErrorState error={state.error} onRetry={() => void wall.reposition()} />}
          {look.form === 'sheet' ? (
            <Sheet
              dataset={project.dataset}
              canEdit={act.canDelete && filter.where !== 'deleted'}
              onDelete={() => act.remove(true)}
              filter={filter}
              order={order}
              onFilter={choose}
              onOrder={sort}
              {...shown}
            />
          ) : (
            <Gallery key={withOrder(searchOf(filter), order).toString()} search={filter.q} size={size} {...shown} />
          )}
        </>
      )}
      <SelectionBar
        count={count}
        labels={labels}
        isAll={selection.except !== null}
        total={state.total}
        isBusy={act.isBusy}
        isGone={filter.where !== 'present'}
        onAll={() => setSelection(EVERYTHING)}
        onLabel={act.canLabel ? act.label : undefined}
        onDelete={act.canDelete ? () => act.remove() : undefined}
        onChange={act.canDelete ? act.change : undefined}
        onOpen={openSelected}
        onClear={() => setSelection(NOTHING)}
      />
      <CommentsDrawer item={discussed} canWrite={canLabel} onClose={() => discuss(null)} />
      <ShortcutsDialog opened={isHelpOpen} onClose={() => setHelpOpen(false)} scope="gallery" />
    </>
  )
}

interface SheetProps extends Omit<ComponentProps<typeof RowGrid>, 'table' | 'head'> {
  filter: ItemFilter
  order: Order | null
  onFilter: (filter: ItemFilter) => void
  onOrder: (order: Order | null) => void
}

/** The rows under heads that sort and filter them. */
function Sheet({ filter, order, onFilter, onOrder, ...props }: SheetProps) {
  const table = useColumns()
  const profile = useProfile(props.dataset).data?.profile
  const title = (name: string, content: ReactNode) => {
    const column = table.data?.columns.find((one) => one.name === name)
    return (
      column && (
        <ColumnMenu
          column={column}
          direction={directionOf(order, name)}
          filter={columnFilterOf(filter.cell, name)}
          known={column.kind === 'category' ? (profile?.columns.find((one) => one.name === name)?.top.map(({ value }) => value) ?? []) : []}
          onSort={(direction) => onOrder(direction && { column: name, isDescending: direction === 'descending' })}
          onFilter={(after) => onFilter({ ...filter, cell: withColumnFilter(filter.cell, name, after) })}
        >
          {content}
        </ColumnMenu>
      )
    )
  }
  if (table.isLoadingError) return <ErrorState error={table.error} onRetry={() => void table.refetch()} />
  const head = { direction: (name: string) => directionOf(order, name), title }
  return table.data && <RowGrid table={table.data} head={head} {...props} />
}

async function select(wall: Wall, before: Selection, place: number, id: string, keys: ClickKeys, done: (after: Selection) => void) {
  const range = rangeOf(before, place, keys)
  if (!range) done(clicked(before, place, id, keys))
  else if (range[1] - range[0] >= RANGE_MAX) notifyError(new Error(i18next.t('data:selection.range_max', { max: RANGE_MAX })))
  else
    try {
      done(ranged(before, await wall.idsBetween(...range), keys))
    } catch (error) {
      notifyError(error)
    }
}

/** What can be done with the selected pictures, each with its way back. */
function useActions(project: Project, filter: ItemFilter, selection: Selection, count: number, onGone: () => void) {
  const { t } = useTranslation('data')
  const isLabeller = useHasRole('labeller')
  const { isOfWhole } = useAnswerKind()
  const canLabel = isLabeller && isOfWhole
  const canDelete = useHasRole('engineer')
  const change = useChangeItems(project.id, project.dataset)
  const undo = useUndoItemChanges(project.id, project.dataset)
  const target: Target = selection.except ? { matching: filter, excluding: [...selection.except] } : { items: [...selection.ids] }
  const last = useRef<Promise<void>>(Promise.resolve())
  // What is asked for while another change is under way takes its turn: a key is never lost, whatever becomes of those before it.
  const run = (what: Change) => {
    if (!count) return
    last.current = last.current
      .then(() => change.mutateAsync({ change: what, target }))
      .then(({ ids, num, isJob }) => {
        if (takesOutOf(filter, what)) onGone()
        if (isJob) notifyDone(t('bulk.started'))
        else if (num > 0)
          notifyUndo(t(`bulk.${what.kind}`, { count: num }), () => afterMutation(undo.mutateAsync(ids), () => notifyDone(t('bulk.undone'))))
      })
      .catch(() => undefined)
  }
  const runConfirmed = (what: Change, isAsking = count >= ASKS_FROM) =>
    !isAsking
      ? run(what)
      : confirm({
          title: t(`ask.${what.kind}`, { count }),
          children: t('ask.text'),
          confirm: t(`ask.confirm_${what.kind}`),
          isDangerous: what.kind === 'delete',
          onConfirm: () => run(what),
        })
  return {
    canLabel,
    canDelete,
    isBusy: change.isPending || undo.isPending,
    label: (name: string | null) => {
      if (!canLabel || !count || filter.where !== 'present') return
      const annotations: Annotation[] | null = name === null ? null : ofLabels([name])
      const what: Change = { kind: 'label', annotations }
      if (selection.except) runConfirmed(what)
      else run(what)
    },
    remove: (isAsking?: boolean) => {
      if (canDelete && count && filter.where === 'present') runConfirmed({ kind: 'delete' }, isAsking)
    },
    change: (what: Change) => (selection.except ? runConfirmed(what) : run(what)),
  }
}

/** Opening pictures on the labelling page, which may step through those around. */
function useOpening(wall: Wall, selection: Selection) {
  const navigate = useNavigate()
  const go = (id: string, ids: readonly string[]) => void navigate(`../labelling?item=${id}`, { state: { ids } })
  const placesOf = async (from: number) => wall.idsBetween(Math.max(0, from), from + NEIGHBOURS)
  const open = (item: Item) => void placesOf((wall.placeOf(item.id) ?? 0) - NEIGHBOURS / 2).then((ids) => go(item.id, ids), notifyError)
  const openSelected = () => {
    if (selection.except === null && selection.ids.size > 1) {
      const ids = [...selection.ids].sort()
      go(ids[0] ?? '', ids)
    } else
      void placesOf(selection.anchor ?? 0).then((ids) => {
        const first = selection.except === null ? [...selection.ids][0] : ids[0]
        if (first) go(first, ids)
      }, notifyError)
  }
  return { open, openSelected }
}
