import { useQuery } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** The formats that a version can be downloaded in, with what each would lose. */
export function useVersionFormats(version: string) {
  return useQuery({
    queryKey: ['version', version, 'formats'],
    queryFn: () => data(api.GET('/api/versions/{version}/formats', { params: { path: { version } } })),
    staleTime: Infinity,
  })
}

/** The same of a project's labels as they stand. */
export function useProjectFormats(project: string) {
  return useQuery({
    queryKey: ['project', project, 'formats'],
    queryFn: () => data(api.GET('/api/projects/{project}/label-formats', { params: { path: { project } } })),
    staleTime: Infinity,
  })
}
