/** How much of a limit is used: 0 none, 1 all, more than 1 where it was lowered since. */
export function usedShare({ used, limit }: { used: number; limit: number | null }): number {
  if (limit === null) return 0
  return limit === 0 ? 1 : used / limit
}

/** Green below 80 %, orange from 80 % on, red at the limit. */
export function shareColor(share: number): string {
  if (share >= 1) return 'red'
  return share >= 0.8 ? 'orange' : 'teal'
}
