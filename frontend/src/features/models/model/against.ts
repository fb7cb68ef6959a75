/** Several models against one base. Pure. */
import type { Pair } from '../api/types'

/** Models named in an address, in its order; those that may not stand beside the base are left out. */
export function chosenOf<M extends { id: string }>(named: string | null, offered: readonly M[]): M[] {
  const ids = [...new Set((named ?? '').split(',').filter(Boolean))]
  return ids.flatMap((id) => offered.find((model) => model.id === id) ?? [])
}

/**
 * Pairs with p-values that hold for all of them together (Holm 1979): of several models that are no better than the base, one
 * looks better by chance.
 */
export function adjusted(pairs: readonly (Pair | null)[]): (Pair | null)[] {
  const order = pairs.flatMap((pair, place) => (pair?.test ? [{ place, p: pair.test.p_value }] : [])).sort((one, other) => one.p - other.p)
  const found = new Map<number, number>()
  let least = 0
  order.forEach(({ place, p }, rank) => {
    least = Math.max(least, Math.min(1, p * (order.length - rank)))
    found.set(place, least)
  })
  return pairs.map((pair, place) => (pair?.test ? { ...pair, test: { ...pair.test, p_value: found.get(place) ?? 1 } } : pair))
}
