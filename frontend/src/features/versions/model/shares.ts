/** The shares of validation and test in the first version of a project. */

export interface Shares {
  validation_fraction: number
  test_fraction: number
}

/** Both shares default to 15%, as on the server. */
export const DEFAULT_SHARES: Shares = { validation_fraction: 0.15, test_fraction: 0.15 }

/** At least this much must stay to train on. */
export const MIN_TRAIN_FRACTION = 0.1

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
