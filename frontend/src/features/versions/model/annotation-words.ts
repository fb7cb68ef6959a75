/** The text of an annotation where it cannot be drawn. */
export interface AnnotationText {
  kind: string
  label?: string | null
  text?: string
  value?: unknown
  column?: string
}

/** The label, or what takes its place. */
export function annotationWords(annotation: AnnotationText): string {
  if (annotation.label) return annotation.label
  if (annotation.text !== undefined) return annotation.text
  if (annotation.value !== undefined)
    return annotation.column ? `${annotation.column}: ${String(annotation.value)}` : String(annotation.value)
  return annotation.kind
}

export interface Group {
  words: string
  kind: string
  count: number
  /** Whether it is on this side only. */
  isDifferent: boolean
}

/** The annotations of one side as words, equal ones counted; those that are on this side only come first. */
export function groupedAnnotations(annotations: readonly AnnotationText[], different: readonly number[]): Group[] {
  const places = new Set(different)
  const groups = new Map<string, Group>()
  annotations.forEach((annotation, index) => {
    const isDifferent = places.has(index)
    const words = annotationWords(annotation)
    const key = `${isDifferent} ${annotation.kind} ${words}`
    const group = groups.get(key) ?? { words, kind: annotation.kind, count: 0, isDifferent }
    groups.set(key, { ...group, count: group.count + 1 })
  })
  return [...groups.values()].sort((one, other) => Number(other.isDifferent) - Number(one.isDifferent))
}
