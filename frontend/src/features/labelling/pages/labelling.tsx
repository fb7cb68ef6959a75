import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

import { useProject } from '../../../lib/project/project'
import { useMe } from '../../../lib/session/session'
import { LoadingState } from '../../../ui/loading-state'
import { EditorView } from '../components/editor-view'

/** Labels one picture after the other. Opened from the gallery it walks the gallery's order, else what is next to label. */
export function Component() {
  const project = useProject().data
  const me = useMe().data
  const location = useLocation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const first = search.get('item')
  const list = (location.state as { ids?: string[] } | null)?.ids ?? null

  // The address tells where the editor was opened; a reload of a long list goes on with the queue.
  useEffect(() => {
    if (list && list.length > 20_000) void navigate('.', { replace: true, state: null })
  }, [list, navigate])

  if (!project || !me) return <LoadingState />
  return <EditorView key={`${project.id} ${location.key}`} project={project} person={me.id} list={list} first={first} />
}
