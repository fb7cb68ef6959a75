/** In which order the items stand. Pure; lives in the address beside the filter. */
import type { operations } from '../../../lib/api/schema'

/** Null: what was added first comes first. */
export type ItemOrder = NonNullable<NonNullable<operations['items_positions']['parameters']['query']>['order']>

export const ORDERS = ['newest', 'name', 'label', 'doubt'] as const satisfies readonly ItemOrder[]

/** The order of an address; one that does not exist is left out. */
export function orderOf(search: URLSearchParams): ItemOrder | null {
  return ORDERS.find((order) => order === search.get('order')) ?? null
}

/** An address with the order, or with none. */
export function withOrder(search: URLSearchParams, order: ItemOrder | null): URLSearchParams {
  const after = new URLSearchParams(search)
  after.delete('order')
  if (order) after.set('order', order)
  return after
}
