/** The number of a model that a list shows. */

export interface ListedMetric {
  split: string
  value: number
  interval: readonly number[] | null
  num_items: number | null
}

interface Measured {
  metrics: Record<string, Record<string, number> | undefined>
  intervals?: Record<string, Record<string, readonly number[]> | undefined>
  num_judged?: Record<string, number>
}

/** Below this single items decide a value, and only its interval may be read. */
const FEWEST_ITEMS = 30

/** Whether a value measured on so few items means nothing by itself. */
export function isTooFew(num_items: number | null | undefined): boolean {
  return num_items != null && num_items < FEWEST_ITEMS
}

/** The value on the test split; where there is none, on the validation split, which the list marks. */
export function listedMetric(model: Measured, name: string): ListedMetric | null {
  for (const split of ['test', 'validation']) {
    const value = model.metrics[split]?.[name]
    if (value === undefined) continue
    return { split, value, interval: model.intervals?.[split]?.[name] ?? null, num_items: model.num_judged?.[split] ?? null }
  }
  return null
}
