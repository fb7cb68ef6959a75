import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Makes a key that may call one deployment and nothing else; it ends after 90 days. */
export function useCreateKey(workspace: string, deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (name: string) =>
      data(
        api.POST('/api/workspaces/{workspace_id}/keys', {
          params: { path: { workspace_id: workspace } },
          body: { name, role: 'viewer', deployment, predict_only: true },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['workspace', workspace, 'keys'] }),
  })
}
