/** What counted in the text shown for what is suggested: looked for when asked, given up and put away with the next text. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { labelsOf } from '../../../answers/annotations'
import { useItemKind } from '../../../items'
import { api, data } from '../../../lib/api/client'
import type { Item } from '../../../lib/api/types'
import type { Evidence } from '../../../lib/evidence'
import type { Suggestion } from '../model/frozen'

/** Suggestions of other origin were not made by the features that are looked into. */
const OF_HEAD = 'model:head_'

export interface EvidenceView {
  /** There is a suggestion that can be looked into. */
  canShow: boolean
  isShown: boolean
  isLoading: boolean
  error: Error | null
  evidence: Evidence | undefined
  toggle: () => void
}

export function useEvidence(item: Pick<Item, 'id' | 'text'> | null, suggestion: Suggestion | null): EvidenceView {
  const [shownKey, setShownKey] = useState<string | null>(null)
  const label = labelsOf(suggestion?.annotations ?? null)[0]
  const { explained } = useItemKind()
  const canShow = item !== null && explained.has('suggestion') && label !== undefined && (suggestion?.by.startsWith(OF_HEAD) ?? false)
  const key = canShow ? `${item.id} ${suggestion?.by} ${label}` : null
  const isShown = key !== null && shownKey === key
  const found = useQuery({
    queryKey: ['evidence', item?.id, suggestion?.by, label],
    enabled: isShown,
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/labeling/items/{item}/evidence', {
          params: { path: { item: item?.id ?? '' }, query: { label } },
          signal,
        }),
      ),
  })
  return {
    canShow,
    isShown,
    isLoading: isShown && found.isFetching,
    error: isShown && !found.isFetching ? found.error : null,
    evidence: isShown ? found.data : undefined,
    toggle: () => setShownKey(isShown ? null : key),
  }
}
