/** Brings an item that comes up next to the browser before it is shown. */
import type { QueryClient } from '@tanstack/react-query'

import { type CutText, isCut, wholeTextQuery } from './whole-text'

/** Pictures on their way into the browser's cache; held so that they are not thrown away half loaded. */
const ahead: HTMLImageElement[] = []
const HELD = 20

export function preloadItem(queries: QueryClient, item: CutText & { row?: unknown }): void {
  // A row came whole.
  if (item.row) return
  if (item.text === null) {
    const picture = new Image()
    picture.src = item.picture_url
    ahead.push(picture)
    if (ahead.length > HELD) ahead.shift()
  } else if (isCut(item)) void queries.prefetchQuery(wholeTextQuery(item))
}
