/** The page from which an item was opened to be labelled. It travels in the history entry, so that a reload keeps it. */

export interface WayBack {
  /** Path and query on this site. */
  to: string
  /** What the page is called. */
  name: string
}

/** The way back that a location's state holds; null without one. */
export function wayBackOf(state: unknown): WayBack | null {
  const { back } = (state ?? {}) as { back?: Partial<WayBack> }
  return typeof back?.to === 'string' && typeof back.name === 'string' ? { to: back.to, name: back.name } : null
}
