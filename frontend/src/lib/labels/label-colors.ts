/** Colours for new labels: distinguishable on light and dark backgrounds. */
import type { Label } from '../api/types'

const COLORS = [
  '#3b76f6',
  '#e8590c',
  '#2b8a3e',
  '#9c36b5',
  '#e03131',
  '#0c8599',
  '#f08c00',
  '#5c7cfa',
  '#c2255c',
  '#66a80f',
  '#845ef7',
  '#846358',
] as const

/** The first colour that no label has, or the one used longest ago. */
export function nextColor(used: readonly string[]): string {
  const free = COLORS.find((color) => !used.includes(color))
  return free ?? COLORS[used.length % COLORS.length] ?? COLORS[0]
}

/** The label set with new names at its end, each with a colour of its own. Names that are there already change nothing. */
export function withNewLabels(labels: readonly Label[], names: readonly string[]): readonly Label[] {
  const out = [...labels]
  for (const name of names) {
    if (!out.some((label) => label.name === name)) out.push({ name, color: nextColor(out.map(({ color }) => color)) })
  }
  return out.length === labels.length ? labels : out
}
