import type { Report } from '../api/types'

type Distillation = NonNullable<Report['distillation']>

export interface Lesson {
  split: string
  metric: string
  teacher: number
  student: number
  /** Teacher less student; below 0 the student is the better one. */
  gap: number
  /** Answers of the student in the time of one of its teacher's. */
  speedup: number
  /** How many students' files fit into the teacher's. */
  shrinkage: number
}

/** What a model kept of its teacher, and what it saves. */
export function lessonOf({ teacher, student, split, metric }: Distillation): Lesson {
  const taught = teacher.metrics[split]?.[metric] ?? NaN
  const learned = student.metrics[split]?.[metric] ?? NaN
  return {
    split,
    metric,
    teacher: taught,
    student: learned,
    gap: taught - learned,
    speedup: teacher.answer_ms / student.answer_ms,
    shrinkage: teacher.model_bytes / student.model_bytes,
  }
}
