/** Which suggestion is shown: a fresher one never takes the place of what is being looked at between the look and the key. */
import type { Annotation } from '../../../lib/api/types'

export interface Suggestion {
  annotations: Annotation[]
  /** Who proposes: a model, or a person whose work was returned. */
  by: string
  confidence?: number | null
}

export interface ShownSuggestion {
  item: string | undefined
  suggestion: Suggestion | null
}

/** What to show of an item, given what was shown before and the newest that is known. The same object where nothing changes. */
export function frozen(shown: ShownSuggestion, item: string | undefined, found: Suggestion | null): ShownSuggestion {
  if (shown.item === item && (shown.suggestion !== null || found === null)) return shown
  return { item, suggestion: found }
}
