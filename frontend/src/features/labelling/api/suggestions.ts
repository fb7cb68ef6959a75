/** What a model suggests for the picture shown. The project's events make these stale when a new head is there. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'
import { frozen, type Suggestion } from '../model/frozen'

type SuggestionOut = components['schemas']['SuggestionOut']

const key = (item: string) => ['suggestions', item] as const

/** Asks for several at once and keeps each under its item. */
async function read(items: readonly string[]): Promise<Record<string, SuggestionOut>> {
  if (!items.length) return {}
  return (await data(api.GET('/api/labeling/suggestions', { params: { query: { items: items.join(',') } } }))) as Record<
    string,
    SuggestionOut
  >
}

function sorted(found: SuggestionOut | undefined): Suggestion | null {
  if (!found) return null
  return { ...found, annotations: [...found.annotations].sort((one, other) => (other.score ?? 0) - (one.score ?? 0)) }
}

/**
 * The suggestion for the item shown. Those for the items ahead are fetched with it, so that it is there when the picture is; a
 * fresher one never takes the place of what is being looked at.
 */
export function useSuggestion(item: string | undefined, ahead: readonly string[]): Suggestion | null {
  const queries = useQueryClient()
  const near = item === undefined ? [] : [item, ...ahead]
  const found = useQuery({
    queryKey: key(item ?? ''),
    enabled: item !== undefined,
    staleTime: 60_000,
    queryFn: async () => {
      const answers = await read(near)
      for (const one of ahead) queries.setQueryData(key(one), sorted(answers[one]))
      return sorted(answers[item ?? ''])
    },
  }).data
  const [shown, setShown] = useState<{ item: string | undefined; suggestion: Suggestion | null }>({ item, suggestion: null })
  const next = frozen(shown, item, found ?? null)
  if (next !== shown) setShown(next)
  return next.suggestion
}
