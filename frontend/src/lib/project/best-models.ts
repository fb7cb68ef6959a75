import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { api, data } from '../api/client'

/** The model that one would use (`first`), and those that are marked as best, as the server's rule has them. */
export function useBestModels(project: string) {
  return useQuery({
    queryKey: ['artefacts', 'best', project],
    queryFn: () => data(api.GET('/api/projects/{project_id}/best-models', { params: { path: { project_id: project } } })),
  })
}

/** The model that a form starts with: the one that one would use when it was opened. A better one made since changes no form. */
export function usePresetModel(project: string): string | null | undefined {
  const first = useBestModels(project).data?.first
  const [kept, setKept] = useState(first)
  if (kept === undefined && first !== undefined) setKept(first)
  return kept
}
