import { ShareBar } from '../../../charts/share-bar/share-bar'
import type { Label } from '../../../lib/api/types'

interface LabelBarProps {
  counts: Record<string, number>
  /** Of the project, for their colours. */
  labels: readonly Label[]
}

/** Annotations by label as one bar in the labels' colours. */
export function LabelBar({ counts, labels }: LabelBarProps) {
  const colors = new Map(labels.map((label) => [label.name, label.color]))
  const parts = Object.entries(counts).map(([name, count]) => ({ key: name, title: name, count, color: colors.get(name) ?? '#868e96' }))
  return <ShareBar parts={parts} />
}
