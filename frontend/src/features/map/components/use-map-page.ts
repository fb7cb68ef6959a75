/** What the map page holds: colours, what is hidden and selected, and the similar pictures that the address names. */
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { seriesColor } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { useProject } from '../../../lib/project/project'
import { afterMutation } from '../../../lib/after-mutation'
import { notifyDone } from '../../../ui/notify'
import { notifyUndo } from '../../../ui/undo-notice'
import { type Change, useChangeSelection, useUndoSelectionChanges } from '../api/change-items'
import type { MapData } from '../api/get-map'
import { type ColorBy, coloringOf } from '../model/coloring'
import { distinctColors } from '../model/distinct-colors'

const GREY = { light: { grey: '#868e96', faint: '#c1c7ce' }, dark: { grey: '#868e96', faint: '#4a515a' } }

export function useMapPage(data: MapData, project: string) {
  const [by, setBy] = useState<ColorBy>('label')
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [activeItem, setActiveItem] = useState<string | null>(null)
  const [query, setQuery] = useSearchParams()
  const coloring = useColoring(data, by)
  const places = useMemo(() => new Map(data.items.map((item, index) => [item, index])), [data.items])
  const selected = useMemo(() => new Set(chosen.flatMap((item) => places.get(item) ?? [])), [chosen, places])
  const pickedItems = useMemo(() => new Set(chosen), [chosen])
  const isHidden = coloring.legend.map((entry) => hidden.has(entry.name))

  const pick = (items: readonly string[], isOn: boolean) =>
    setChosen((now) => (isOn ? [...new Set([...now, ...items])] : now.filter((item) => !items.includes(item))))
  const select = (indices: readonly number[], adds: boolean) => {
    const items = indices.flatMap((index) => data.items[index] ?? [])
    setChosen((now) => (adds ? [...new Set([...now, ...items])] : items))
  }
  const openSimilar = (item: string | null) =>
    setQuery(
      (now) => {
        const next = new URLSearchParams(now)
        if (item === null) next.delete('similar')
        else next.set('similar', item)
        return next
      },
      { replace: item === null },
    )
  const actions = useActions(project, chosen, (done) => setChosen((now) => (now === done ? [] : now)))
  return {
    by,
    setBy: (value: ColorBy) => {
      setBy(value)
      setHidden(new Set())
    },
    coloring,
    isHidden,
    toggle: (place: number) => setHidden((now) => toggled(now, coloring.legend[place]?.name ?? '')),
    selected,
    selectedItems: chosen,
    pickedItems,
    pick,
    select,
    selectEntry: (place: number) =>
      select(
        [...coloring.classes.keys()].filter((index) => coloring.classes[index] === place),
        false,
      ),
    active: activeItem === null ? -1 : (places.get(activeItem) ?? -1),
    setActive: (index: number) => setActiveItem(data.items[index] ?? null),
    similar: query.get('similar'),
    openSimilar,
    ...actions,
  }
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next
}

function useColoring(data: MapData, by: ColorBy) {
  const scheme = useScheme()
  const labels = useProject().data?.label_set.labels
  return useMemo(() => {
    const own = distinctColors(data.labels, labels ?? [], scheme)
    return coloringOf(data, by, {
      label: (name) => own.get(name) ?? GREY[scheme].grey,
      series: (index) => seriesColor(index, scheme),
      ...GREY[scheme],
    })
  }, [data, by, scheme, labels])
}

/** What can be done with the selected pictures, each with its way back. */
function useActions(project: string, chosen: readonly string[], onDone: (items: readonly string[]) => void) {
  const { t } = useTranslation('map')
  const dataset = useProject().data?.dataset ?? ''
  const change = useChangeSelection(project, dataset)
  const undo = useUndoSelectionChanges(project, dataset)
  const takeBack = (ids: readonly string[]) => afterMutation(undo.mutateAsync(ids), () => notifyDone(t('done.undone')))
  const act = (what: Change) => {
    if (!chosen.length || change.isPending) return
    afterMutation(change.mutateAsync({ ...what, items: chosen }), ({ ids, num }) => {
      const name = what.kind === 'label' ? what.label : ''
      notifyUndo(t(`done.${what.kind}`, { count: num, name }), () => takeBack(ids))
      onDone(chosen)
    })
  }
  return { isBusy: change.isPending || undo.isPending, act }
}
