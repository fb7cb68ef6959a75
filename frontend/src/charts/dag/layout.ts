/** Lays a small directed graph out from left to right: a node stands right of its rightmost source, one without any left of its use. */

export interface DagNode {
  id: string
}

export interface Placed<N extends DagNode> {
  node: N
  column: number
  row: number
}

export type Edge = readonly [from: string, to: string]

/**
 * Columns by longest path, so that no edge runs beneath a node where a source can stand beside its use; rows by the mean row of the
 * sources so that edges cross little. Edges to unknown nodes are left out; a cycle cannot happen in a lineage and its back edge is
 * ignored rather than looped on.
 */
export function layoutDag<N extends DagNode>(nodes: readonly N[], edges: readonly Edge[]): Placed<N>[] {
  const known = new Map(nodes.map((node) => [node.id, node]))
  const sources = new Map<string, string[]>(nodes.map((node) => [node.id, []]))
  for (const [from, to] of edges) if (known.has(from)) sources.get(to)?.push(from)

  const columns = new Map<string, number>()
  const columnOf = (id: string, path: ReadonlySet<string>): number => {
    const done = columns.get(id)
    if (done !== undefined) return done
    const deeper = new Set(path).add(id)
    const before = (sources.get(id) ?? []).filter((source) => !deeper.has(source))
    const column = before.reduce((most, source) => Math.max(most, columnOf(source, deeper) + 1), 0)
    columns.set(id, column)
    return column
  }
  nodes.forEach((node) => columnOf(node.id, new Set()))
  for (const { id } of nodes) {
    const targets = edges.filter(([from, to]) => from === id && known.has(to)).map(([, to]) => columns.get(to) ?? 0)
    if (sources.get(id)?.length === 0 && targets.length) columns.set(id, Math.max(0, Math.min(...targets) - 1))
  }
  return placeRows(nodes, columns, sources)
}

function placeRows<N extends DagNode>(
  nodes: readonly N[],
  columns: ReadonlyMap<string, number>,
  sources: ReadonlyMap<string, string[]>,
): Placed<N>[] {
  const rows = new Map<string, number>()
  const placed: Placed<N>[] = []
  const last = Math.max(-1, ...columns.values())
  for (let column = 0; column <= last; column += 1) {
    const here = nodes.filter((node) => columns.get(node.id) === column)
    const meanSourceRow = (node: N) => {
      const before = (sources.get(node.id) ?? []).map((source) => rows.get(source)).filter((row) => row !== undefined)
      return before.length ? before.reduce((sum, row) => sum + row, 0) / before.length : 0
    }
    ;[...here]
      .sort((a, b) => meanSourceRow(a) - meanSourceRow(b))
      .forEach((node, row) => {
        rows.set(node.id, row)
        placed.push({ node, column, row })
      })
  }
  return placed
}
