import { useQuery } from '@tanstack/react-query'

import type { Answer } from '../../../lib/api/answer'
import { api, data } from '../../../lib/api/client'
import { ApiError } from '../../../lib/api/errors'
import { send } from '../../../lib/api/raw'

export type SimilarItem = Answer<'SimilarItemOut'>

/** What others are compared with and is none of the project's: a picture, or in a project of texts a sentence. */
export interface Query {
  query: File | string
  /** Tells one asking from the next. */
  number: number
}

const LIMIT = 60
/** What a job is at work on: the answer comes by itself once it is done. */
const PASSING = new Set(['search_starting', 'features_none'])
const AGAIN_MS = 2000

export function useItem(item: string | null) {
  return useQuery({
    queryKey: ['item', item],
    enabled: item !== null,
    queryFn: () => data(api.GET('/api/items/{item}', { params: { path: { item: item ?? '' } } })),
  })
}

/** What looks most like a picture of the project, the nearest first. */
export function useSimilar(item: string | null) {
  return useQuery({
    queryKey: ['similar', item],
    enabled: item !== null,
    retry: false,
    queryFn: () => data(api.GET('/api/items/{item}/similar', { params: { path: { item: item ?? '' }, query: { limit: LIMIT } } })),
  })
}

/** What is most like any picture or sentence, the nearest first. It is sent and not kept. */
export function useSimilarTo(project: string, query: Query | null) {
  return useQuery({
    queryKey: ['similar', project, query?.number],
    enabled: query !== null,
    retry: (_, error) => error instanceof ApiError && PASSING.has(error.code),
    retryDelay: AGAIN_MS,
    queryFn: ({ signal }) => {
      const sample = query?.query ?? ''
      if (typeof sample === 'string')
        return data(api.GET('/api/labeling/similar', { signal, params: { query: { project, text: sample, limit: LIMIT } } }))
      const body = new FormData()
      body.append('file', sample)
      const params = new URLSearchParams({ project, limit: String(LIMIT) })
      return send<SimilarItem[]>(`/api/labeling/similar?${params}`, { method: 'POST', body, signal })
    },
  })
}
