/** Which pictures of a gallery are chosen, by the habits of file managers: click, ctrl-click, shift-click. No React in it. */

export interface Selection {
  /** The pictures chosen one by one. */
  ids: ReadonlySet<string>
  /** All that match the filter are chosen, also those never loaded, but for these. */
  except: ReadonlySet<string> | null
  /** The place where a shift-click starts from. */
  anchor: number | null
}

export const NOTHING: Selection = { ids: new Set(), except: null, anchor: null }
export const EVERYTHING: Selection = { ids: new Set(), except: new Set(), anchor: null }

export interface ClickKeys {
  shift: boolean
  /** Ctrl, or Command on a Mac. */
  toggle: boolean
}

export function isChosen(selection: Selection, id: string): boolean {
  return selection.except ? !selection.except.has(id) : selection.ids.has(id)
}

export function numChosen(selection: Selection, total: number): number {
  return selection.except ? Math.max(0, total - selection.except.size) : selection.ids.size
}

/** The places from the anchor to a place; null when this is not a click on a range. */
export function rangeOf(before: Selection, place: number, keys: ClickKeys): [number, number] | null {
  if (!keys.shift || before.anchor === null || before.except) return null
  return [Math.min(before.anchor, place), Math.max(before.anchor, place)]
}

/** The selection after a click on a picture. */
export function clicked(before: Selection, place: number, id: string, keys: ClickKeys): Selection {
  return keys.toggle ? toggled(before, place, id) : { ids: new Set([id]), except: null, anchor: place }
}

/** The selection after a click on a range, once the ids of its pictures are known; the anchor stays. */
export function ranged(before: Selection, ids: readonly string[], keys: ClickKeys): Selection {
  return { ids: new Set(keys.toggle ? [...before.ids, ...ids] : ids), except: null, anchor: before.anchor }
}

export function toggled(before: Selection, place: number, id: string): Selection {
  const set = new Set(before.except ?? before.ids)
  if (!set.delete(id)) set.add(id)
  return before.except ? { ...before, except: set, anchor: place } : { ids: set, except: null, anchor: place }
}

/** How many columns of at least `min_px` fit beside each other. */
export function columnsFor(width_px: number, min_px: number, gap_px: number): number {
  return Math.max(1, Math.floor((width_px + gap_px) / (min_px + gap_px)))
}
