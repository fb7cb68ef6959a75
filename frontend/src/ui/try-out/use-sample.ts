import { useMutation } from '@tanstack/react-query'

import { api, data } from '../../lib/api/client'
import { apiErrorOf } from '../../lib/api/errors'
import type { Item } from '../../lib/api/types'

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

/** The stored file of an item. */
export async function fetchItemFile({ picture_url }: Pick<Item, 'picture_url'>): Promise<Response> {
  const response = await fetch(picture_url)
  if (!response.ok) throw apiErrorOf(response.status, await response.json().catch(() => null))
  return response
}

/** The stored picture of an item, as a file to send. */
export async function pictureOf(item: Item): Promise<File> {
  const response = await fetchItemFile(item)
  return new File([await response.blob()], item.name, { type: response.headers.get('content-type') ?? 'image/jpeg' })
}
