import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Item } from '../../../lib/api/types'
import { useExplain } from '../../../ui/try-out/use-explain'
import { fetchItemFile } from '../../../ui/try-out/use-sample'
import { isCut } from '../../whole-text'

/** Asks the deployment about one text, the way its customers do. */
export function useTryText(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: ({ text, top }: { text: string; top?: number }) =>
      data(
        api.POST('/api/deployments/{deployment_id}/try/texts', {
          params: { path: { deployment_id: deployment }, query: { top: top ?? null } },
          body: { texts: [text] },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployments', deployment] }),
  })
}

/** Which parts of a text its best answer depends on. */
export function useExplainText(deployment: string, text: string) {
  return useExplain(['text', deployment, text], (signal) =>
    data(
      api.POST('/api/deployments/{deployment_id}/explain/texts', {
        params: { path: { deployment_id: deployment } },
        body: { text },
        signal,
      }),
    ),
  )
}

/** The whole of a text. */
export async function textOf(item: Item): Promise<string> {
  return isCut(item) ? (await fetchItemFile(item)).text() : (item.text ?? '')
}
