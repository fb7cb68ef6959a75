/** Counts by ISO date as a list of the last days, oldest first; days without work are 0. */
export function perDay(counts: Readonly<Record<string, number>>, days: number, now: number): number[] {
  const day_ms = 24 * 3600 * 1000
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now - (days - 1 - index) * day_ms).toISOString().slice(0, 10)
    return counts[day] ?? 0
  })
}
