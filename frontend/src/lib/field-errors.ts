import { ApiError } from './api/errors'
import { refusalText } from './refusal-text'

/** Whether a form that draws these fields shows all that was refused. */
export function isShownByFields(error: unknown, drawn: readonly string[]): boolean {
  const refused = Object.keys(fieldErrors(error))
  return refused.length > 0 && refused.every((name) => drawn.includes(name))
}

/** What is wrong with each field that was refused, for a form. A specific code has a better message than the field's generic one. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const { title, detail } = refusalText(error)
  const message = error.code === 'invalid_input' ? null : detail || title
  return Object.fromEntries(Object.entries(error.fields).flatMap(([name, [first]]) => (first ? [[name, message ?? first]] : [])))
}
