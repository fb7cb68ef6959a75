/** Projects and what is in them, as commands that lead there. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { api, data } from '../../lib/api/client'
import type { Place } from '../../lib/api/types'
import { useWorkspace } from '../../lib/session/session'
import { navOf } from '../features'
import type { Command } from './command'

/** The page below the project that lists things of a kind; each has its own page below that. */
const LISTS: Record<Place['kind'], string> = {
  project: '',
  version: 'versions',
  study: 'studies',
  model: 'models',
  deployment: 'deployments',
  gallery: 'galleries',
  template: 'templates',
  shelf: 'shelves',
}
type NumberedKind = 'version' | 'model'
const WAIT_MS = 150

export function usePlaces(typed: string): Command[] {
  const { t } = useTranslation('palette')
  const navigate = useNavigate()
  const workspace = useWorkspace()?.id
  const [asked] = useDebouncedValue(typed.trim(), WAIT_MS)
  const newest = useQuery(placesQuery(workspace, ''))
  // Only where there are more than the newest must the server look.
  const searched = useQuery({
    ...placesQuery(workspace, asked),
    enabled: asked !== '' && newest.data?.is_complete === false,
    placeholderData: keepPreviousData,
  })
  const places = new Map([...(newest.data?.items ?? []), ...(searched.data?.items ?? [])].map((place) => [place.id, place]))
  return [...places.values()].map((place) => {
    const href = addressOf(place)
    const numbered = place.number === null ? [] : [t(`place.${place.kind as NumberedKind}`, { number: place.number })]
    return {
      id: place.id,
      section: 'places',
      label: [...numbered, ...(place.name ? [place.name] : [])].join(' · '),
      detail: place.kind === 'project' ? t('kind.project') : `${t(`kind.${place.kind}`)} · ${place.project_name}`,
      words: place.number === null ? [place.kind] : [`${place.kind} ${place.number}`],
      icon: iconOf(place.kind),
      href,
      run: () => void navigate(href),
    }
  })
}

function placesQuery(workspace: string | undefined, search: string) {
  return {
    queryKey: ['places', workspace, search],
    enabled: workspace !== undefined,
    queryFn: () => data(api.GET('/api/places', { params: { query: { workspace: workspace ?? '', search } } })),
  }
}

function addressOf({ kind, id, project }: Place): string {
  return kind === 'project' ? `/projects/${project}` : `/projects/${project}/${LISTS[kind]}/${id}`
}

/** That of the list in the rail. */
function iconOf(kind: Place['kind']): Command['icon'] {
  const list = LISTS[kind]
  const entry = list ? navOf('project').find(({ path }) => path === list) : navOf('workspace').find(({ path }) => path === 'projects')
  if (!entry) throw new Error(`no list of the kind ${kind} in the rail`)
  return entry.icon
}
