/** What can go wrong, each with a stable code. */
import type { ModelError as Declared } from './api'

export type Code =
  | 'answer_invalid'
  | 'argument_invalid'
  | 'artefact_damaged'
  | 'artefact_unreadable'
  | 'cell_invalid'
  | 'columns_missing'
  | 'internal_error'
  | 'item_invalid'
  | 'model_closed'
  | 'picture_too_large'
  | 'picture_unreadable'
  | 'row_invalid'
  | 'text_missing'
  | 'text_unreadable'
  | 'update_invalid'
  | 'update_none_before'
  | 'update_not_writable'
  | 'update_other_labels'
  | 'update_other_task'
  | 'update_selftest_failed'
  | 'update_too_new'

export type Facts = Record<string, string | number>

export class ModelError extends Error implements Declared {
  override readonly name = 'ModelError'
  readonly code: Code
  readonly facts: Readonly<Facts>

  constructor(code: Code, message: string, facts: Facts = {}) {
    super(message)
    this.code = code
    this.facts = facts
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The error itself where it is one of ours, or else one with that code. */
export function coded(error: unknown, code: Code, before = ''): ModelError {
  return error instanceof ModelError ? error : new ModelError(code, `${before}${reasonOf(error)}`)
}
