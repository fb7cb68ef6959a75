/** The whole of a text of which an answer brought only the beginning. */
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'

import { apiErrorOf } from '../lib/api/errors'

export interface CutText {
  text: string | null
  picture_url: string
  media: { num_characters?: number | null | undefined }
}

/** Whether more is stored than was brought along. */
export function isCut({ text, media }: CutText): boolean {
  return text !== null && [...text.trim()].length < (media.num_characters ?? 0)
}

/** A text never changes, so it is asked for once. */
export const wholeTextQuery = (item: CutText | null) =>
  queryOptions({
    queryKey: ['whole-text', item?.picture_url],
    staleTime: Infinity,
    queryFn:
      item && isCut(item)
        ? async ({ signal }) => {
            const answer = await fetch(item.picture_url, { signal })
            if (!answer.ok) throw apiErrorOf(answer.status, await answer.json().catch(() => null))
            return answer.text()
          }
        : skipToken,
  })

/** The text as far as it is here, and where the rest stands. */
export function useWholeText(item: CutText | null) {
  const { data, error, isLoading, refetch } = useQuery(wholeTextQuery(item))
  return { text: data ?? item?.text ?? '', isLoading, error, retry: () => void refetch() }
}
