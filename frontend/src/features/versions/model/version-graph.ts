/** Lays versions out as a tree: lines run in lanes, as in the logs of version control. Newest row first. */

export interface GraphVersion {
  id: string
  parent: string | null
  branch: string
}

/** A line that runs through half a row. */
export interface Line {
  lane: number
  /** Of the version whose line it is. */
  branch: string
  half: 'above' | 'below'
}

/** A line that ends at this row's version, coming from another lane. */
export interface Link {
  lane: number
  branch: string
}

export interface GraphRow {
  id: string
  lane: number
  lines: Line[]
  links: Link[]
}

interface Open {
  /** The version to which the line leads. */
  to: string
  branch: string
}

/** Where each version and each line stands. A parent that is not among the versions lets its line run out at the bottom. */
export function versionGraph(versions: readonly GraphVersion[]): GraphRow[] {
  const lanes: (Open | null)[] = []
  return versions.map((version) => {
    const above = lanes.map((open) => open && { ...open })
    const own = above.findIndex((open) => open?.to === version.id)
    const free = lanes.findIndex((open) => open === null)
    const lane = own >= 0 ? own : free >= 0 ? free : lanes.length
    const ending = above.flatMap((open, index) => (open?.to === version.id ? [{ lane: index, branch: open.branch }] : []))
    for (const link of ending) lanes[link.lane] = null
    lanes[lane] = version.parent === null ? null : { to: version.parent, branch: version.branch }
    const lines: Line[] = []
    above.forEach((open, index) => open && lines.push({ lane: index, branch: open.branch, half: 'above' }))
    lanes.forEach((open, index) => open && lines.push({ lane: index, branch: open.branch, half: 'below' }))
    return { id: version.id, lane, lines, links: ending.filter((link) => link.lane !== lane) }
  })
}

/** Lanes that a drawing of these rows needs. */
export function numLanes(rows: readonly GraphRow[]): number {
  return Math.max(1, ...rows.map((row) => Math.max(row.lane, ...row.lines.map((line) => line.lane)) + 1))
}
