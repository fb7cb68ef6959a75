/** Kinds of findings: their order, what can be done about them, and copies gathered to clusters. */
import type { ActionKind, Finding, Kind } from '../api/quality'

/** As the page lists them: what spoils a training first. */
const KINDS: readonly Kind[] = [
  'leak',
  'exact_duplicate',
  'near_duplicate',
  'wrong_label',
  'unreadable',
  'garbled',
  'blurred',
  'dark',
  'bright',
  'low_information',
  'outlier',
  'odd_aspect',
  'odd_size',
  'odd_colour',
  'odd_language',
]

/** What is looked for among the project's items, in the order of the page. */
export const inOrder = (findings: ReadonlySet<Kind>): Kind[] => KINDS.filter((kind) => findings.has(kind))

const PAIRED: ReadonlySet<Kind> = new Set(['leak', 'exact_duplicate', 'near_duplicate'])

export const isPaired = (kind: Kind): boolean => PAIRED.has(kind)

export function actionsFor(kind: Kind): ActionKind[] {
  if (isPaired(kind)) return ['quarantine', 'group', 'dismiss', 'delete']
  if (kind === 'wrong_label') return ['relabel', 'quarantine', 'dismiss', 'delete']
  return ['quarantine', 'dismiss', 'delete']
}

/** What the one button for all findings does: the mildest cure of the kind. */
export function actionForAll(kind: Kind): ActionKind {
  return kind === 'wrong_label' ? 'relabel' : 'quarantine'
}

export interface Cluster {
  key: string
  findings: Finding[]
}

/** Copies of one picture together, in the order given, the one to keep first. */
export function clustersOf(findings: readonly Finding[]): Cluster[] {
  const clusters = new Map<string, Finding[]>()
  for (const finding of findings) {
    const key = typeof finding.detail.cluster === 'string' ? finding.detail.cluster : finding.item.id
    const members = clusters.get(key)
    if (members) members.push(finding)
    else clusters.set(key, [finding])
  }
  return [...clusters].map(([key, members]) => ({
    key,
    findings: [...members].sort((one, other) => Number(other.detail.is_kept === true) - Number(one.detail.is_kept === true)),
  }))
}

/** The kinds with open findings, then those without. */
export function countsOf(open: Record<string, number>, kinds: readonly Kind[]): { kind: Kind; count: number }[] {
  const counted = kinds.map((kind) => ({ kind, count: open[kind] ?? 0 }))
  return [...counted.filter(({ count }) => count > 0), ...counted.filter(({ count }) => count === 0)]
}
