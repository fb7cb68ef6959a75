import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

/** Makes a key with the lowest role that may call deployments. */
export function useCreateKey(workspace: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (name: string) =>
      data(
        api.POST('/api/workspaces/{workspace_id}/keys', {
          params: { path: { workspace_id: workspace } },
          body: { name, role: 'labeller' },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
}
