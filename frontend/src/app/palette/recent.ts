/** The pages that were opened last, kept in this browser. */
const STORAGE_KEY = 'modelyard.recent-pages'
const MOST = 30

/** Addresses, the last one first. */
export function recentPages(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each): each is string => typeof each === 'string') : []
  } catch {
    return []
  }
}

export function keepRecentPage(address: string): void {
  const kept = [address, ...recentPages().filter((each) => each !== address)].slice(0, MOST)
  localStorage.setItem(STORAGE_KEY, JSON.stringify(kept))
}
