/** Maths of the share bar. */

export interface Part {
  key: string
  title: string
  count: number
  color: string
}

export interface Segment extends Part {
  share_fraction: number
  start_fraction: number
}

/** Lays the parts end to end; empty ones are left out. */
export function segments(parts: readonly Part[]): Segment[] {
  const total = parts.reduce((sum, part) => sum + part.count, 0)
  let start_fraction = 0
  return parts
    .filter((part) => part.count > 0)
    .map((part) => {
      const segment = { ...part, share_fraction: part.count / total, start_fraction }
      start_fraction += segment.share_fraction
      return segment
    })
}
