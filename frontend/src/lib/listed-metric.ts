/** The number of a model that a list shows. */

export interface ListedMetric {
  split: string
  value: number
}

/** The value on the test split; where there is none, on the validation split, and the list says so. */
export function listedMetric(metrics: Record<string, Record<string, number> | undefined>, name: string): ListedMetric | null {
  for (const split of ['test', 'validation']) {
    const value = metrics[split]?.[name]
    if (value !== undefined) return { split, value }
  }
  return null
}
