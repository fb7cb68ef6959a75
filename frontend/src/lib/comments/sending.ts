/** The outbox of the person who is signed in: one a page, sending wherever they are. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

import { api, data } from '../api/client'
import { type Comment, commentsKey } from './comments'
import { CommentOutbox, type OutboxState } from './outbox'

const outboxes = new Map<string, CommentOutbox>()
const listeners = new Set<(comment: Comment) => void>()

export function outboxOf(person: string): CommentOutbox {
  const known = outboxes.get(person)
  if (known) return known
  const made = new CommentOutbox(person, async ({ item, text, operation }) => {
    const comment = await data(api.POST('/api/labeling/comments', { body: { item, text, operation, person } }))
    listeners.forEach((listener) => listener(comment))
  })
  outboxes.set(person, made)
  window.addEventListener('online', () => made.nudge())
  window.addEventListener('storage', () => made.refresh())
  made.nudge()
  return made
}

/** What of a person's comments waits to be sent. What has been sent goes into the lists that are shown. */
export function useOutbox(person: string): { outbox: CommentOutbox; state: OutboxState } {
  const queries = useQueryClient()
  const outbox = outboxOf(person)
  useEffect(() => {
    const listener = (comment: Comment) => put(queries, comment)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [queries])
  return { outbox, state: useSyncExternalStore(outbox.subscribe, outbox.getState) }
}

function put(queries: QueryClient, comment: Comment): void {
  queries.setQueryData<Comment[]>(commentsKey(comment.item), (now) =>
    now && !now.some(({ id }) => id === comment.id) ? [...now, comment] : now,
  )
  void queries.invalidateQueries({ queryKey: ['comments'] })
}
