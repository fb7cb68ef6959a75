import type { Report } from '../api/types'

type Distillation = NonNullable<Report['distillation']>

const ALSO = 'f1_macro'

export interface Lesson {
  split: string
  /** The objective, and F1 where it is another. */
  metrics: { name: string; teacher: number; student: number; share: number }[]
  /** Answers of the student in the time of one of its teacher's. */
  speedup: number
  /** How many students' files fit into the teacher's. */
  shrinkage: number
}

/** What a model kept of its teacher, and what it saves. */
export function lessonOf({ teacher, student, split, metric }: Distillation): Lesson {
  const names = [...new Set([metric, ALSO])].filter((name) => teacher.metrics[split]?.[name] !== undefined)
  const metrics = names.map((name) => {
    const taught = teacher.metrics[split]?.[name] ?? NaN
    const learned = student.metrics[split]?.[name] ?? NaN
    return { name, teacher: taught, student: learned, share: learned / taught }
  })
  return {
    split,
    metrics,
    speedup: teacher.answer_ms / student.answer_ms,
    shrinkage: teacher.model_bytes / student.model_bytes,
  }
}
