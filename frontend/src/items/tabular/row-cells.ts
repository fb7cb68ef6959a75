/** The cells of a row, also where an answer brought them as the text that is kept. */
import { skipToken, useQuery } from '@tanstack/react-query'

import { apiErrorOf } from '../../lib/api/errors'

type Cells = Readonly<Record<string, string>>

export interface RowLike {
  row?: { cells: Record<string, string> } | null | undefined
  text: string | null
  picture_url?: string
}

/** The cells of canonical JSON; null where it is none, or was cut off. */
export function cellsOfText(text: string | null): Cells | null {
  if (!text?.startsWith('{"cells":')) return null
  try {
    return (JSON.parse(text) as { cells: Cells }).cells
  } catch {
    return null
  }
}

/** The cells at once where they are here, else as soon as they are fetched. A row never changes at its address. */
export function useRowCells(item: RowLike): { cells: Cells | null; error: unknown } {
  const known = item.row?.cells ?? cellsOfText(item.text)
  const address = item.picture_url
  const { data, error } = useQuery({
    queryKey: ['row-cells', address],
    staleTime: Infinity,
    queryFn:
      known || !address
        ? skipToken
        : async ({ signal }) => {
            const answer = await fetch(address, { signal })
            if (!answer.ok) throw apiErrorOf(answer.status, await answer.json().catch(() => null))
            return cellsOfText(await answer.text()) ?? {}
          },
  })
  return { cells: known ?? data ?? null, error }
}
