/**
 * Defaults of queries and mutations. A failed mutation is reported here, once, whatever page started it: what is given to `mutate`
 * as `onError` is dropped when another change follows or the page is left.
 */
import { MutationCache, type MutationObserver, QueryCache, QueryClient } from '@tanstack/react-query'

import { ApiError } from '../lib/api/errors'
import { notifyError } from '../ui/notify'
import { isWorthRetrying, retryDelay } from './retrying'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Whoever asks for the change shows why it failed, e.g. beside the fields of a form, for as long as it is open. */
      isErrorShown?: boolean
    }
  }
}

/** Tells of every failure that nobody shows: the form may have been closed, or may show a later try. */
function notifyingCache(): MutationCache {
  const shownBy = new WeakMap<object, MutationObserver>()
  const cache = new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      const isShown = mutation.meta?.isErrorShown && shownBy.get(mutation)?.hasListeners()
      // What the person broke off has not failed.
      if (!isShown && error.name !== 'AbortError') notifyError(error)
    },
  })
  cache.subscribe((event) => {
    if (event.type === 'observerAdded') shownBy.set(event.mutation, event.observer)
    if (event.type === 'observerRemoved') shownBy.delete(event.mutation)
  })
  return cache
}

/** What is gone, or may not be seen any longer, is not shown on. Any other failure leaves what is known. */
const forgettingCache = () =>
  new QueryCache({
    onError: (error, query) => {
      if (error instanceof ApiError && [403, 404, 410].includes(error.status)) query.setState({ data: undefined })
    },
  })

export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: forgettingCache(),
    mutationCache: notifyingCache(),
    defaultOptions: {
      // A server on the same machine or network answers where the browser takes itself for offline: no request waits for that.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: isWorthRetrying,
        retryDelay,
        staleTime: 5_000,
        refetchOnWindowFocus: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
