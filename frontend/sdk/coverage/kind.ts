/** What stands beside the annotations of models for which an error rate was chosen; the modules of `kinds/` are found by listing. */
import type { Answer } from '../answers/kind'
import type { Beside } from '../api'
import { ModelError } from '../errors'

/** What was chosen, as it stands in `artefact.json`. */
export interface Coverage {
  error_rate: number
  limits: Readonly<Record<string, number>>
  reach: number | null
}

export interface CoverageKind {
  /** `thresholds`: lowest score by label, by which the model predicts. */
  beside(answer: Answer, labels: readonly string[], thresholds: Readonly<Record<string, number>>, coverage: Coverage): Beside
}

const KINDS = import.meta.glob<CoverageKind>('./kinds/*.ts', { eager: true, import: 'KIND' })

export function coverageKind(output: string): CoverageKind {
  const kind = KINDS[`./kinds/${output}.ts`]
  if (!kind) throw new ModelError('artefact_unreadable', `answers of the kind ${output} have no error rate`)
  return kind
}
