import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { api, data } from '../../../lib/api/client'
import { ApiError } from '../../../lib/api/errors'
import type { Item, Project } from '../../../lib/api/types'
import { useItemKind } from '../../../items'
import { summaryKey } from '../../../lib/dataset/summary'
import type { Autosave } from '../model/autosave'
import { LabellingSession, type ItemSource } from '../model/labelling-session'
import { savingOf } from './saving'
import { sharedSource } from './shared-work'
import { useProjectEvent } from './use-project-event'

const REFRESH_MS = 1500

async function itemOrNothing(item: string): Promise<Item[]> {
  try {
    return [await data(api.GET('/api/items/{item}', { params: { path: { item } } }))]
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

function sourceOf(project: string, autosave: Autosave): ItemSource {
  return {
    read: async (ids) => (await Promise.all(ids.map(itemOrNothing))).flat(),
    // What was labelled and has not arrived yet is unlabelled to the server: it must not come up again.
    take: async (skip, prefetch) => {
      const body = { project, skip: [...new Set([...skip, ...autosave.pendingItems()])].slice(-500), prefetch }
      return (await data(api.POST('/api/labeling/assignments', { body }))).items
    },
  }
}

function make(project: Project, autosave: Autosave, campaign: string | null, preload: (item: Item) => void) {
  return new LabellingSession({
    source: campaign ? sharedSource(project, campaign) : sourceOf(project.id, autosave),
    takesSeveral: project.task_options.labels === 'several',
    save: (item, before, after, shown) => autosave.save(project.id, item, before, after, shown),
    pending: (item) => autosave.pending(item),
    preload,
  })
}

export interface Work {
  project: Project
  person: string
  /** The gallery's order, else the queue's. */
  list: readonly string[] | null
  first: string | null
  /** A share of a campaign instead of the project's own queue. */
  campaign: string | null
}

/** The address names the item that is shown, so that reloading goes on with it. The router need not know: the page stays. */
function useAddressOf(item: string | undefined): void {
  useEffect(() => {
    const address = new URL(window.location.href)
    if (!item || !address.searchParams.has('item')) return
    address.searchParams.set('item', item)
    window.history.replaceState(window.history.state, '', address)
  }, [item])
}

/** The labelling session of a project, alive as long as the page, and the person's autosave, which outlives it. */
export function useLabellingSession({ project, person, list, first, campaign }: Work) {
  const queries = useQueryClient()
  const { preload } = useItemKind()
  const { autosave, opened } = savingOf(person)
  const [session] = useState(() => make(project, autosave, campaign, (item) => preload(queries, item)))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      for (const queryKey of [summaryKey(project.dataset), ['guide', project.id], ['stats'], ['campaigns']])
        void queries.invalidateQueries({ queryKey })
    }
    const stop = autosave.onEvents({
      saved: (item) => {
        session.received(item)
        if (session.state().error !== null) void session.retry()
        // How much of a share is done is read after each answer; the rest may wait.
        if (campaign) void queries.invalidateQueries({ queryKey: ['campaigns', 'mine'] })
        timer ??= setTimeout(refresh, REFRESH_MS)
      },
      refused: ({ item }) => void session.reread(item),
    })
    void opened.then(() => session.open(list, first))
    return () => {
      stop()
      clearTimeout(timer)
      if (timer) refresh()
    }
    // The list is that of the moment the page was opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [session, autosave])
  // Changes of others to the item shown appear at once, and so does what was added once nothing was left.
  useProjectEvent(({ type, data }) => {
    if (type === 'item.ingested') void session.added()
    const shown = session.state().item?.id
    if (type !== 'annotation.saved' || !shown || !Array.isArray(data.items) || !data.items.includes(shown)) return
    void session.reread(shown)
  })
  const state = useSyncExternalStore(session.subscribe, session.state)
  useAddressOf(first === null ? undefined : state.item?.id)
  return {
    session,
    autosave,
    state,
    saving: useSyncExternalStore(autosave.subscribe, autosave.state),
  }
}
