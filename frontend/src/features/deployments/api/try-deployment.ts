import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import { apiErrorOf } from '../../../lib/api/errors'
import { send } from '../../../lib/api/raw'
import type { Item } from '../../../lib/api/types'
import { isCut } from '../../../items/whole-text'
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

/** Asks the deployment about one text. */
export function useTryText(deployment: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (text: string) =>
      data(
        api.POST('/api/deployments/{deployment_id}/try/texts', {
          params: { path: { deployment_id: deployment }, query: { top: 5 } },
          body: { texts: [text] },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployments', deployment] }),
  })
}

/** Takes an item of the project's data, another one each time; null where there is none. */
export function useSample<T>(dataset: string | undefined, read: (item: Item) => Promise<T>) {
  return useMutation({
    mutationFn: async (turn: number): Promise<T | null> => {
      if (!dataset) return null
      const page = await data(api.GET('/api/datasets/{dataset}/items', { params: { path: { dataset }, query: { limit: 50 } } }))
      const item = page.items[(turn * 7) % Math.max(1, page.items.length)]
      return item ? read(item) : null
    },
  })
}

/** The file of a picture. */
export async function pictureOf(item: Item): Promise<File> {
  const answer = await fetched(item.picture_url)
  return new File([await answer.blob()], item.name, { type: answer.headers.get('content-type') ?? 'image/jpeg' })
}

/** The whole of a text. */
export async function textOf(item: Item): Promise<string> {
  return isCut(item) ? (await fetched(item.picture_url)).text() : (item.text ?? '')
}

async function fetched(url: string): Promise<Response> {
  const answer = await fetch(url)
  if (!answer.ok) throw apiErrorOf(answer.status, await answer.json().catch(() => null))
  return answer
}
