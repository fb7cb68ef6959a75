/**
 * Where a very long list is scrolled to. Browsers draw no element taller than some ten million pixels, and a million pictures are
 * taller than that. So the page is at most `MAX_PX` high: small movements (wheel, keys) move the list by as much as the page, a
 * leap (the scroll bar is dragged) goes to the same fraction of the list. Pure.
 */
export const MAX_PX = 8_000_000

export interface Scroll {
  /** How far the page is scrolled. */
  page_px: number
  /** How far the list is scrolled. */
  list_px: number
}

export interface Extent {
  list_px: number
  view_px: number
}

export const TOP: Scroll = { page_px: 0, list_px: 0 }

/** How high the page is for a list. */
export function pageHeight(list_px: number): number {
  return Math.min(list_px, MAX_PX)
}

/** The place after the page was scrolled to `page_px`. */
export function scrolled(before: Scroll, page_px: number, extent: Extent): Scroll {
  const listEnd = Math.max(0, extent.list_px - extent.view_px)
  const pageEnd = Math.max(0, pageHeight(extent.list_px) - extent.view_px)
  if (extent.list_px <= MAX_PX) return { page_px, list_px: page_px }
  if (page_px <= 0) return { page_px, list_px: 0 }
  if (page_px >= pageEnd) return { page_px, list_px: listEnd }
  const moved = page_px - before.page_px
  const isLeap = Math.abs(moved) > 2 * extent.view_px
  const list_px = isLeap ? (page_px / pageEnd) * listEnd : before.list_px + moved
  return { page_px, list_px: Math.min(listEnd, Math.max(0, list_px)) }
}

/** Where the page must be scrolled to so that the list is at `list_px`. */
export function pageFor(before: Scroll, list_px: number, extent: Extent): Scroll {
  const listEnd = Math.max(0, extent.list_px - extent.view_px)
  const target_px = Math.min(listEnd, Math.max(0, list_px))
  if (extent.list_px <= MAX_PX) return { page_px: target_px, list_px: target_px }
  const pageEnd = Math.max(0, MAX_PX - extent.view_px)
  const moved = before.page_px + target_px - before.list_px
  const isNear = Math.abs(target_px - before.list_px) <= 2 * extent.view_px && moved > 0 && moved < pageEnd
  return { page_px: isNear ? moved : (target_px / listEnd) * pageEnd, list_px: target_px }
}
