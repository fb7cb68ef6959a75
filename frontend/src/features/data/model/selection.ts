/** Which pictures of a gallery are chosen, by the habits of file managers: click, ctrl-click, shift-click. No React in it. */

export interface Selection {
  ids: ReadonlySet<string>
  /** Where a shift-click starts from. */
  anchor: string | null
}

export const NOTHING: Selection = { ids: new Set(), anchor: null }

export interface ClickKeys {
  shift: boolean
  /** Ctrl, or Command on a Mac. */
  toggle: boolean
}

/** The selection after a click on `id`, where `order` is how the gallery shows the pictures now. */
export function clicked(before: Selection, order: readonly string[], id: string, keys: ClickKeys): Selection {
  if (keys.shift && before.anchor !== null) {
    const [from, to] = [order.indexOf(before.anchor), order.indexOf(id)]
    if (from >= 0 && to >= 0) {
      const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
      return { ids: new Set(keys.toggle ? [...before.ids, ...range] : range), anchor: before.anchor }
    }
  }
  if (keys.toggle) return toggled(before, id)
  return { ids: new Set([id]), anchor: id }
}

export function toggled(before: Selection, id: string): Selection {
  const ids = new Set(before.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, anchor: id }
}

export function everything(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: order[0] ?? null }
}

/** Forgets pictures that are not shown any more. */
export function kept(before: Selection, order: readonly string[]): Selection {
  const shown = new Set(order)
  const ids = new Set([...before.ids].filter((id) => shown.has(id)))
  if (ids.size === before.ids.size) return before
  return { ids, anchor: before.anchor !== null && shown.has(before.anchor) ? before.anchor : null }
}

/** How many columns of at least `min_px` fit beside each other. */
export function columnsFor(width_px: number, min_px: number, gap_px: number): number {
  return Math.max(1, Math.floor((width_px + gap_px) / (min_px + gap_px)))
}
