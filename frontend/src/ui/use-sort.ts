import { useSearchParams } from 'react-router'

import { type Sort, sortOf, sortText } from '../lib/sort'

/** By what the list of a page is sorted, kept in the address. */
export function useSort(): [Sort | null, (sort: Sort) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (sort: Sort) =>
    setSearch(
      (before) => {
        before.set('sort', sortText(sort))
        return before
      },
      { replace: true },
    )
  return [sortOf(search.get('sort')), change]
}
