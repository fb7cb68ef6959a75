import { useMutation, useQueryClient } from '@tanstack/react-query'

import type { Answer } from '../../../lib/api/answer'
import { send } from '../../../lib/api/raw'
import type { Evidence } from '../../../lib/evidence'
import { useExplain } from '../../../ui/try-out/use-explain'

/** Asks the deployment about one picture, the way its customers do. */
export function useTryPicture(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: ({ picture, top }: { picture: File; top?: number }) => {
      const body = new FormData()
      body.append('file', picture)
      const query = top === undefined ? '' : `?top=${top}`
      return send<Answer<'PredictOut'>>(`/api/deployments/${deployment}/try${query}`, { method: 'POST', body })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployments', deployment] }),
  })
}

/** Which parts of a picture its best answer depends on; `number` distinguishes pictures sent one after the other. */
export function useExplainPicture(deployment: string, picture: File | null, number: number) {
  return useExplain(['picture', deployment, number], (signal) => {
    const body = new FormData()
    if (picture) body.append('file', picture)
    return send<Evidence>(`/api/deployments/${deployment}/explain/pictures`, { method: 'POST', body, signal })
  })
}
