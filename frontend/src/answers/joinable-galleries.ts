import { useQuery } from '@tanstack/react-query'

import type { Answer } from '../lib/api/answer'
import { api, data } from '../lib/api/client'
import { useModelChoices } from '../lib/project/choices'
import { hasAnswerPage } from './pages'

type Artefact = Pick<Answer<'ArtefactOut'>, 'id' | 'project' | 'manifest'>

/** Galleries with whose names a product of the model can answer: those that compare by it, or by the one it was made from. */
export function useJoinableGalleries(project: string, artefact: Artefact | undefined) {
  const models = artefact && [artefact.id, artefact.manifest.lineage.parent]
  return useQuery({
    queryKey: ['galleries', 'choices', project],
    queryFn: () => data(api.GET('/api/projects/{project}/galleries', { params: { path: { project }, query: { limit: 100 } } })),
    enabled: artefact && hasAnswerPage([artefact.manifest.output], 'galleries'),
    select: (page) => page.items.filter(({ artefact: own, num_entries }) => own && models?.includes(own.id) && num_entries > 0),
  })
}

/** The same by the model's id, for forms where a model is chosen. */
export function useGalleriesOfModel(project: string, id: string) {
  const artefact = useModelChoices(project).data?.find((model) => model.id === id)
  return useJoinableGalleries(project, artefact).data ?? []
}
