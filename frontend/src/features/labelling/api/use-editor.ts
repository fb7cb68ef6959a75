import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { api, data } from '../../../lib/api/client'
import { ApiError } from '../../../lib/api/errors'
import type { Item, Project } from '../../../lib/api/types'
import { summaryKey } from '../../../lib/dataset/summary'
import { notifyError } from '../../../ui/notify'
import { Autosave } from '../model/autosave'
import { Editor, type EditorSource } from '../model/editor'
import { openJournal } from '../model/journal'

const REFRESH_MS = 1500

async function itemOrNothing(item: string): Promise<Item[]> {
  try {
    return [await data(api.GET('/api/items/{item}', { params: { path: { item } } }))]
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

function sourceOf(project: string): EditorSource {
  return {
    read: async (ids) => (await Promise.all(ids.map(itemOrNothing))).flat(),
    take: async (skip, prefetch) => (await data(api.POST('/api/labeling/assignments', { body: { project, skip, prefetch } }))).items,
  }
}

/** Pictures on their way into the browser's cache; held so that they are not thrown away half loaded. */
const ahead: HTMLImageElement[] = []

function preload(url: string): void {
  const picture = new Image()
  picture.src = url
  ahead.push(picture)
  if (ahead.length > 20) ahead.shift()
}

function make(project: Project, person: string, onSaved: () => void) {
  const journal = openJournal(person)
  const autosave: Autosave = new Autosave({
    project: project.id,
    journal,
    send: ({ item, said, revision, operation }) =>
      data(
        api.PUT('/api/labeling/items/{item}/annotations', {
          params: { path: { item } },
          body: { annotations: said, revision, operation },
        }),
      ),
    onSaved: (item) => {
      editor.received(item)
      onSaved()
    },
    onRefused: (entry, error) => {
      notifyError(error)
      void itemOrNothing(entry.item).then((items) => items.forEach((item) => editor.received(item)))
    },
  })
  const editor = new Editor({
    source: sourceOf(project.id),
    takesSeveral: project.task_options.labels === 'several',
    say: (item, said, revision) => autosave.say(item, said, revision),
    waiting: (item) => autosave.waiting(item),
    preload,
  })
  return { editor, autosave }
}

/** The editor of a project and its autosave, alive as long as the page. */
export function useEditor(project: Project, person: string, list: readonly string[] | null, first: string | null) {
  const queries = useQueryClient()
  const [made] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    return make(project, person, () => {
      timer ??= setTimeout(() => {
        timer = undefined
        for (const queryKey of [summaryKey(project.dataset), ['guide', project.id], ['items', project.dataset]])
          void queries.invalidateQueries({ queryKey })
      }, REFRESH_MS)
    })
  })
  const { editor, autosave } = made
  useEffect(() => {
    autosave.open()
    void autosave.restore().then((waiting) => editor.open(list, first, waiting))
    window.addEventListener('online', autosave.nudge)
    return () => {
      window.removeEventListener('online', autosave.nudge)
      autosave.close()
    }
    // The list is that of the moment the page was opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [editor, autosave])
  return {
    editor,
    autosave,
    state: useSyncExternalStore(editor.subscribe, editor.state),
    saving: useSyncExternalStore(autosave.subscribe, autosave.state),
  }
}
