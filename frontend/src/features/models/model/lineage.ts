/** The server's lineage as a drawing from left to right. */

interface NodeLike {
  id: string
  kind: string
}

export interface LineageDrawing<N> {
  nodes: N[]
  edges: [from: string, to: string][]
}

/** Single items are looked at in their version; here they would hide the way. */
const HIDDEN = new Set(['item', 'annotation'])

/** Leaves single items out and turns the arrows: the server's lead from a thing to what it was made of. */
export function lineageDrawing<N extends NodeLike>(nodes: readonly N[], edges: readonly (readonly string[])[]): LineageDrawing<N> {
  const shown = nodes.filter((node) => !HIDDEN.has(node.kind))
  const ids = new Set(shown.map((node) => node.id))
  const turned = edges.flatMap(([thing, source]): [string, string][] =>
    thing !== undefined && source !== undefined && ids.has(thing) && ids.has(source) ? [[source, thing]] : [],
  )
  return { nodes: shown, edges: turned.filter(([from, to]) => !hasDetour(from, to, turned)) }
}

/** Whether one can also get there through another node; the direct arrow then only crosses the drawing. */
function hasDetour(from: string, to: string, edges: readonly [string, string][]): boolean {
  const seen = new Set<string>()
  const waiting = edges.filter(([start, end]) => start === from && end !== to).map(([, end]) => end)
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node === to) return true
    if (seen.has(node)) continue
    seen.add(node)
    for (const [start, end] of edges) if (start === node) waiting.push(end)
  }
  return false
}

const PAGES: Record<string, string> = {
  version: 'versions',
  study: 'studies',
  artefact: 'models',
  start: 'models',
  deployment: 'deployments',
}

/**
 * Path of the node's page; null for what has none. A trial is shown on its study's page.
 *
 * The edges are the server's.
 */
export function nodePath(project: string, node: NodeLike, edges: readonly (readonly string[])[] = []): string | null {
  if (node.kind === 'trial') {
    const study = edges.flatMap(([thing, source]) => (thing === node.id && source?.startsWith('stu_') ? [source] : []))[0]
    return study ? `/projects/${project}/studies/${study}?trial=${node.id}` : null
  }
  const page = PAGES[node.kind]
  return page ? `/projects/${project}/${page}/${node.id}` : null
}
