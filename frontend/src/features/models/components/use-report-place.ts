import { useSearchParams } from 'react-router'

import type { ItemsView } from '../model/items-query'
import { placeOf, type ReportPlace, withPlace } from '../model/report-place'

/** What of a report is open, kept in the address, and how to open something else. */
export function useReportPlace() {
  const [search, setSearch] = useSearchParams()
  const place = placeOf(search)
  const go = (change: Partial<ReportPlace>) => setSearch((before) => withPlace(before, change), { replace: true })
  return {
    ...place,
    show: {
      onSplit: (split: string) => go({ split, view: null, item: null }),
      onItems: (view: ItemsView) => go({ view, item: view.kind === 'one' ? view.item : null }),
      onItem: (item: string) => go({ item }),
      onClose: () => go({ view: null, item: null }),
      onItemClosed: () => {
        go(place.view?.kind === 'one' ? { view: null, item: null } : { item: null })
        if (place.item !== null) focusItem(place.item)
      },
    },
  }
}

/** The list goes on at the item that was looked at last; the topmost list that has it. */
function focusItem(item: string) {
  requestAnimationFrame(() => [...document.querySelectorAll<HTMLElement>(`[data-item="${CSS.escape(item)}"]`)].at(-1)?.focus())
}
