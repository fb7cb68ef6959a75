import { ApiError } from './api/errors'
import { refusalText } from './refusal-text'

/** What is wrong with each field that was refused, for a form. A code of its own says it better than the field's bare word. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const { title, detail } = refusalText(error)
  const said = error.code === 'invalid_input' ? null : detail || title
  return Object.fromEntries(Object.entries(error.fields).flatMap(([name, [first]]) => (first ? [[name, said ?? first]] : [])))
}
