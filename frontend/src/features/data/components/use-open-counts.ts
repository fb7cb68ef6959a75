import { useDebouncedValue } from '@mantine/hooks'

import { useOpenComments } from '../../../lib/comments/comments'
import type { Wall } from '../model/wall'

/** How many open comments each visible item has. Places are asked for once scrolling has come to rest. */
export function useOpenCounts(wall: Wall, from: number, to: number): Record<string, number> {
  const [first, last] = [wall.at(from), wall.at(to)]
  const [range] = useDebouncedValue(first && last ? `${first.dataset} ${first.id} ${last.id}` : '', 150)
  const [dataset, start, stop] = range ? range.split(' ') : []
  return useOpenComments(dataset, start, stop).data ?? {}
}
