/** What the shares of a new version will mean in items, before it is made. */

export interface Shares {
  validation_fraction: number
  test_fraction: number
}

export interface SplitPreview {
  train: number
  validation: number
  test: number
}

/** Both shares default to 15%, as on the server. */
export const DEFAULT_SHARES: Shares = { validation_fraction: 0.15, test_fraction: 0.15 }

/** At least this much must stay to train on. */
export const MIN_TRAIN_FRACTION = 0.1

/** Expected items by split; the split comes from a hash, so the true numbers differ a little. */
export function splitPreview(numItems: number, shares: Shares): SplitPreview {
  const validation = Math.round(numItems * shares.validation_fraction)
  const test = Math.round(numItems * shares.test_fraction)
  return { validation, test, train: Math.max(0, numItems - validation - test) }
}

/** Changes one share and takes what is missing from the other, so that training keeps its minimum. */
export function changedShare(shares: Shares, name: keyof Shares, value_fraction: number): Shares {
  const most = 1 - MIN_TRAIN_FRACTION
  const value = rounded(Math.min(most, Math.max(0, value_fraction)))
  const other = name === 'test_fraction' ? 'validation_fraction' : 'test_fraction'
  const changed = { ...shares, [name]: value }
  changed[other] = rounded(Math.min(shares[other], most - value))
  return changed
}

function rounded(fraction: number): number {
  return Math.round(fraction * 100) / 100
}
