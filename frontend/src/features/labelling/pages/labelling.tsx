import { useEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

import { useProject } from '../../../lib/project/project'
import { useHasRole, useMe } from '../../../lib/session/session'
import { LoadingState } from '../../../ui/loading-state'
import { EditorView } from '../components/editor-view'
import { OnlyLook } from '../components/only-look'

/** Labels one picture after the other. Opened from the gallery it walks the gallery's order, else what is next to label. */
export function Component() {
  const project = useProject().data
  const me = useMe().data
  const location = useLocation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const canLabel = useHasRole('labeller')
  const first = search.get('item')
  const campaign = search.get('campaign')
  const list = (location.state as { ids?: string[] } | null)?.ids ?? null

  // The URL holds where the editor was opened; reloading a long list continues with the queue.
  useEffect(() => {
    if (list && list.length > 20_000) void navigate('.', { replace: true, state: null })
  }, [list, navigate])

  if (!project || !me) return <LoadingState />
  // Nothing is handed out to those who may not label; what they opened from the gallery they may look at.
  if (!canLabel && !first && !campaign) return <OnlyLook project={project.id} />
  return <EditorView key={`${project.id} ${location.key}`} project={project} person={me.id} list={list} first={first} campaign={campaign} />
}
