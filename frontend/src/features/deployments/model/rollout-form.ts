/** The values of the form that starts a rollout and what they become on the wire. */

export type Measure = 'feedback' | 'errors'

export interface RolloutForm {
  candidate: string
  measure: Measure
  /** Per cent of the calls, with commas between. */
  steps: string
  step_minutes: number
  /** Percentage points. */
  margin: number
}

export interface RolloutRequest {
  candidate: string
  measure: Measure
  steps: number[]
  step_minutes: number
  margin: number
}

/** A candidate cannot fail less often than never: judged by failures it is promoted when it is not worse by a point. */
export const MARGINS: Record<Measure, number> = { feedback: 0, errors: 1 }

/** The steps that a text names; null where they do not ascend, or are no whole numbers from 1 to 99. */
export function stepsOf(text: string): number[] | null {
  const steps = text
    .split(/[,，、\s]+/)
    .filter(Boolean)
    .map(Number)
  const isFine = steps.every((step, n) => Number.isInteger(step) && step >= 1 && step <= 99 && step > (steps[n - 1] ?? 0))
  return isFine && steps.length > 0 && steps.length <= 10 ? steps : null
}

/** The request; null where a field is not filled in rightly. */
export function toRolloutRequest(form: RolloutForm): RolloutRequest | null {
  const steps = stepsOf(form.steps)
  if (!form.candidate || steps === null) return null
  const { candidate, measure, step_minutes } = form
  return { candidate, measure, steps, step_minutes, margin: form.margin / 100 }
}
