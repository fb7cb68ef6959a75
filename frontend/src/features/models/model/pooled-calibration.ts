/** Reliability of all labels in one curve, where one a label would be a tangle. Pure. */

interface Calibration {
  bins: readonly { mean_score: number; share: number; count: number }[]
}

const NUM_BINS = 10

/** Bins of equal width over the scores of all labels; empty ones are left out. */
export function pooledCalibration(calibrations: readonly Calibration[]) {
  const sums = Array.from({ length: NUM_BINS }, () => ({ score: 0, came_true: 0, count: 0 }))
  for (const { mean_score, share, count } of calibrations.flatMap(({ bins }) => bins)) {
    const sum = sums[Math.min(NUM_BINS - 1, Math.floor(mean_score * NUM_BINS))]
    if (!sum) continue
    sum.score += mean_score * count
    sum.came_true += share * count
    sum.count += count
  }
  const bins = sums
    .filter(({ count }) => count > 0)
    .map(({ score, came_true, count }) => ({ mean_score: score / count, share: came_true / count, count }))
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  const error = bins.reduce((sum, { mean_score, share, count }) => sum + Math.abs(mean_score - share) * count, 0) / Math.max(1, total)
  return { bins, error }
}
