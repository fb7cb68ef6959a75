/** The kinds of answers, found by listing the folders beside this file. Nobody else asks for one by name. */
import type { Task } from '../lib/api/types'
import { useMetrics, useTask } from '../lib/project/task'
import type { AnnotationLike, AnswerKind } from './kind'

const files = import.meta.glob<{ default: AnswerKind }>('./*/kind.tsx', { eager: true })

const KINDS: readonly AnswerKind[] = Object.values(files).map(({ default: kind }) => kind)

/**
 * What a task answers, as the options of a project stand.
 *
 * @param metrics those that are measured then: they distinguish answers where a task has several.
 */
export function answerKind({ outputs }: Pick<Task, 'outputs'>, metrics: readonly Pick<Task['metrics'][number], 'unit'>[]): AnswerKind {
  const kinds = [...new Set(outputs.map(kindOf))]
  const kind =
    kinds.find(({ unit }) => unit && metrics.some((metric) => metric.unit === unit)) ?? kinds.find(({ unit }) => !unit) ?? kinds[0]
  if (!kind) throw new Error('a task without answers')
  return kind
}

function kindOf(output: Task['outputs'][number]): AnswerKind {
  const kind = KINDS.find(({ outputs }) => outputs.includes(output))
  if (!kind) throw new Error(`no kind of answers ${output}; known: ${KINDS.flatMap(({ outputs }) => outputs).join(', ')}`)
  return kind
}

/** What models of the project answer. Its pages are shown once the task is known. */
export function useAnswerKind(): AnswerKind {
  const { data: task } = useTask()
  const metrics = useMetrics()
  if (!task) throw new Error('the task of the project is not known here')
  return answerKind(task, metrics)
}

/** Whether an annotation is of such an answer, in one way or another of drawing it. */
const isOfKind = ({ annotation, drawn }: AnswerKind, { kind }: AnnotationLike) => (drawn ?? [annotation]).some((each) => each === kind)

/** An annotation in a word or two; null of kinds that no model predicts. */
export function annotationText(annotation: AnnotationLike): string | null {
  return KINDS.find((kind) => isOfKind(kind, annotation))?.text(annotation) ?? null
}

/** What lies at a place of the picture, by the kinds that draw it. */
export function drawnBy(annotations: readonly AnnotationLike[]): { kind: AnswerKind; drawn: AnnotationLike[] }[] {
  const sorted = KINDS.map((kind) => ({
    kind,
    drawn: kind.Overlay ? annotations.filter((one) => isOfKind(kind, one) && (kind.lies?.(one) ?? true)) : [],
  }))
  return sorted.filter(({ drawn }) => drawn.length > 0)
}

/** Whether some annotations have a place in the picture. */
export function isDrawn(annotations: readonly AnnotationLike[]): boolean {
  return drawnBy(annotations).length > 0
}
