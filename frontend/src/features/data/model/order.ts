/** In which order the items stand. Pure; lives in the address beside the filter. */
import type { operations } from '../../../lib/api/schema'

type Query = NonNullable<operations['items_positions']['parameters']['query']>

/** Null: what was added first comes first. */
export type ItemOrder = Exclude<NonNullable<Query['order']>, 'cell'>

/** By the cells of a column of a table. */
export interface CellOrder {
  column: string
  isDescending: boolean
}

export type Order = ItemOrder | CellOrder

export const ORDERS = ['newest', 'name', 'label', 'doubt'] as const satisfies readonly ItemOrder[]

/** The order of an address; one that does not exist is left out. */
export function orderOf(search: URLSearchParams): Order | null {
  const column = search.get('column')
  if (search.get('order') === 'cell' && column) return { column, isDescending: search.get('descending') === 'true' }
  return ORDERS.find((order) => order === search.get('order')) ?? null
}

/** The order as query fields. */
export function orderQuery(order: Order | null): Pick<Query, 'order' | 'column' | 'descending'> {
  if (order === null) return {}
  if (typeof order === 'string') return { order }
  return { order: 'cell', column: order.column, ...(order.isDescending && { descending: true }) }
}

/** An address with the order, or with none. */
export function withOrder(search: URLSearchParams, order: Order | null): URLSearchParams {
  const after = new URLSearchParams(search)
  for (const name of ['order', 'column', 'descending']) after.delete(name)
  for (const [name, value] of Object.entries(orderQuery(order))) after.set(name, String(value))
  return after
}

/** Of a column: how the rows stand by it. */
export function directionOf(order: Order | null, column: string): 'ascending' | 'descending' | null {
  if (order === null || typeof order === 'string' || order.column !== column) return null
  return order.isDescending ? 'descending' : 'ascending'
}
