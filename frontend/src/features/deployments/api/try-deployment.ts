import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { Prediction } from './types'

/** Asks the deployment about one picture, the way its customers do. */
export function useTry(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (picture: File) => {
      const body = new FormData()
      body.append('file', picture)
      return send<Prediction>(`/api/deployments/${deployment}/try?top=5`, { method: 'POST', body })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployments', deployment] }),
  })
}

/** Takes a picture of the project's data, another one each time. */
export function useSample(dataset: string | undefined) {
  return useMutation({
    mutationFn: async (turn: number): Promise<File | null> => {
      if (!dataset) return null
      const page = await data(api.GET('/api/datasets/{dataset}/items', { params: { path: { dataset }, query: { limit: 50 } } }))
      const item = page.items[(turn * 7) % Math.max(1, page.items.length)]
      if (!item) return null
      const answer = await fetch(item.picture_url)
      if (!answer.ok) return null
      return new File([await answer.blob()], item.name, { type: answer.headers.get('content-type') ?? 'image/jpeg' })
    },
  })
}
