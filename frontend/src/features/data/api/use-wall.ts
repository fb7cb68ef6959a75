import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'

import { api, data } from '../../../lib/api/client'
import type { Item } from '../../../lib/api/types'
import { onProjectEvent } from '../../../lib/events/subscriptions'
import { type ItemFilter, queryOf, searchOf } from '../model/filter'
import { type Order, orderQuery, withOrder } from '../model/order'
import { Wall, type WallSource } from '../model/wall'

const PAGE = 200
/** An open-ended range is read so many pages far. */
const PAGES_MAX = 5
/** Pictures that come in make the positions old; they are looked for anew at most this often. */
const REPOSITION_MS = 5000

export const itemsKey = (dataset: string) => ['items', dataset] as const
/** Invalidated where items were added: their places are looked for anew. */
export const arrivedKey = (dataset: string) => ['arrived', dataset] as const

function sourceOf(dataset: string, filter: ItemFilter, order: Order | null): WallSource {
  const path = { dataset }
  const query = queryOf(filter)
  const page = (range: { start?: string; stop?: string; cursor?: string | null }, signal: AbortSignal) =>
    data(api.GET('/api/datasets/{dataset}/items', { signal, params: { path, query: { ...query, ...range, limit: PAGE } } }))
  return {
    positions: (cursor, signal) =>
      data(
        api.GET('/api/datasets/{dataset}/items/positions', { signal, params: { path, query: { ...query, ...orderQuery(order), cursor } } }),
      ),
    first: order
      ? null
      : async (signal) => {
          const { items, next_cursor } = await page({}, signal)
          return { items, isAll: !next_cursor }
        },
    range: async (start, stop, signal) => {
      const found: Item[] = []
      let cursor: string | null = null
      for (let pages = 0; stop || pages < PAGES_MAX; pages++) {
        const part: { items: Item[]; next_cursor?: string | null } = await page({ start, stop, cursor }, signal)
        found.push(...part.items)
        cursor = part.next_cursor ?? null
        if (!cursor) break
      }
      return found
    },
    named: (ids, signal) =>
      data(api.GET('/api/datasets/{dataset}/items/named', { signal, params: { path, query: { ids: ids.join(',') } } })),
  }
}

/** The pictures that match a filter, by place in an order. */
export function useWall(dataset: string, filter: ItemFilter, order: Order | null) {
  const key = withOrder(searchOf(filter), order).toString()
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the key covers all that matters of the filter
  const wall = useMemo(() => new Wall(sourceOf(dataset, filter, order)), [dataset, key])
  useEffect(() => {
    void wall.start()
    return () => wall.stop()
  }, [wall])
  useFreshness(wall, dataset, filter.comments !== null)
  return { wall, state: useSyncExternalStore(wall.subscribe, wall.getState) }
}

/** Reads anew what changed: by name where an event names it, else what is visible. */
function useFreshness(wall: Wall, dataset: string, isByComments: boolean): void {
  // Pages that change pictures invalidate this key; its only work is to notice.
  const { dataUpdatedAt } = useQuery({ queryKey: itemsKey(dataset), queryFn: () => Date.now(), staleTime: Infinity })
  const seen = useRef(dataUpdatedAt)
  useEffect(() => {
    if (seen.current !== 0 && seen.current !== dataUpdatedAt) wall.refresh()
    seen.current = dataUpdatedAt
  }, [wall, dataUpdatedAt])
  const arrived = useQuery({ queryKey: arrivedKey(dataset), queryFn: () => Date.now(), staleTime: Infinity }).dataUpdatedAt
  const seenArrived = useRef(arrived)
  useEffect(() => {
    if (seenArrived.current !== 0 && seenArrived.current !== arrived) void wall.reposition()
    seenArrived.current = arrived
  }, [wall, arrived])
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const stop = onProjectEvent(({ type, data: payload }) => {
      const named = payload.items
      if (type === 'item.changed' || type === 'annotation.saved')
        wall.refresh(Array.isArray(named) && named.length ? (named as string[]) : undefined)
      if (type === 'item.ingested' || (isByComments && type.startsWith('comment.')))
        waiting ??= setTimeout(() => ((waiting = undefined), void wall.reposition()), REPOSITION_MS)
    })
    return () => {
      stop()
      clearTimeout(waiting)
    }
  }, [wall, isByComments])
}
