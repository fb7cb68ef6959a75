import { useLocalStorage } from '@mantine/hooks'
import { useSearchParams } from 'react-router'

import { type Sort, sortOf, sortText } from '../lib/sort'

/** How a list is sorted that nobody has sorted yet, and the name by which this browser remembers how somebody did. */
export interface KeptSort {
  name: string
  first: Sort
}

/** By what the list of a page is sorted, kept in the address and, of lists with a name, in the browser. */
export function useSort(kept?: KeptSort): [Sort | null, (sort: Sort) => void] {
  const [search, setSearch] = useSearchParams()
  const [remembered, remember] = useLocalStorage({
    key: `modelyard.sort.${kept?.name ?? ''}`,
    defaultValue: kept ? sortText(kept.first) : '',
    getInitialValueInEffect: false,
  })
  const change = (sort: Sort) => {
    if (kept) remember(sortText(sort))
    setSearch(
      (before) => {
        before.set('sort', sortText(sort))
        return before
      },
      { replace: true },
    )
  }
  return [sortOf(search.get('sort') ?? remembered), change]
}
