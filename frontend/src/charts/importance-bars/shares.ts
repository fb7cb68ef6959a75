/** Maths of the importance bars. */

export interface Share {
  name: string
  share_fraction: number
}

/** Largest share first; what lies below `floor` is summed up under the name given, unless it is one alone. */
export function rankedShares(shares: Record<string, number>, restName: string, floor = 0.02): Share[] {
  const ranked = Object.entries(shares)
    .map(([name, share_fraction]) => ({ name, share_fraction }))
    .sort((a, b) => b.share_fraction - a.share_fraction || a.name.localeCompare(b.name))
  const small = ranked.filter((share) => share.share_fraction < floor)
  if (small.length < 2) return ranked
  const rest = small.reduce((sum, share) => sum + share.share_fraction, 0)
  return [...ranked.filter((share) => share.share_fraction >= floor), { name: restName, share_fraction: rest }]
}
