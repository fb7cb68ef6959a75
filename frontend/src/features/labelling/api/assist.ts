/** How the project is helped while labelling: state, order of the queue, agreement. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'

export type Assist = components['schemas']['AssistOut']
export type Strategy = Assist['strategy']

const key = (project: string) => ['assist', project] as const

export function useAssist(project: string) {
  return useQuery({
    queryKey: key(project),
    queryFn: () => data(api.GET('/api/labeling/assist', { params: { query: { project } } })),
    // Until the first suggestions are there somebody waits for them.
    refetchInterval: (query) => (query.state.data?.state === 'ready' ? 30_000 : 3_000),
  })
}

export function useChooseStrategy(project: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (strategy: Strategy) => data(api.PUT('/api/labeling/assist', { body: { project, strategy } })),
    onSuccess: (assist) => queries.setQueryData(key(project), assist),
  })
}
