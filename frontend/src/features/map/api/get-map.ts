import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { components } from '../../../lib/api/schema'

export type MapData = components['schemas']['MapOut']

export const mapKey = (project: string) => ['map', project] as const

/** The data set in the plane. While something is computed the answer is asked for again, should the event stream be away. */
export function useMap(project: string) {
  return useQuery({
    queryKey: mapKey(project),
    queryFn: () => data(api.GET('/api/labeling/map', { params: { query: { project } } })),
    staleTime: 30_000,
    refetchInterval: (query) => (query.state.data && (query.state.data.job || !query.state.data.map) ? 3000 : false),
  })
}

/** Draws the map anew. */
export function useDrawMap(project: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/api/labeling/map', { params: { query: { project } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: mapKey(project) }),
  })
}
