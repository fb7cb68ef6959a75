/**
 * Labelling a share of a campaign. Its items go by `campaign/item`, so that the journal separates these annotations from those
 * of the same pictures elsewhere, and the sender knows the endpoint.
 */
import type { ItemAnnotations } from '../../../answers/annotations'
import { api, data } from '../../../lib/api/client'
import { ApiError } from '../../../lib/api/errors'
import type { Item, Project } from '../../../lib/api/types'
import type { Answer } from '../model/autosave'
import type { ItemSource } from '../model/labelling-session'
import { applied, type AnnotationOperation } from '../model/operation'

export const isShared = ({ item }: AnnotationOperation): boolean => item.includes('/')

const takeItems = async (campaign: string, skip: string[], prefetch: number) =>
  (await data(api.POST('/api/labeling/campaigns/{campaign}/items', { params: { path: { campaign } }, body: { skip, prefetch } }))).items

type SharedItem = Awaited<ReturnType<typeof takeItems>>[number]

const idsOf = (key: string): { campaign: string; item: string } => {
  const [campaign = '', item = ''] = key.split('/')
  return { campaign, item }
}

/** The item itself, of a share's or of any other. */
export const idOfShared = (key: string): string => idsOf(key).item || key

/** What is known of each item of a share: enough to show it, and nobody else's answer. */
const known = new Map<string, Item>()

function asItem(project: Project, campaign: string, shared: SharedItem): Item {
  const { item, name, media, text, row, annotations, picture_url, thumbnail_url } = shared
  const made: Item = {
    id: `${campaign}/${item}`,
    dataset: project.dataset,
    name,
    blob: '',
    media,
    text,
    row,
    picture_url,
    thumbnail_url,
    state: annotations === null ? 'unlabelled' : 'annotated',
    annotations: annotations ?? [],
    revision: 0,
    split: 'train',
    provenance: '',
    metadata: {},
    created_at: '',
    deleted_at: null,
    is_quarantined: false,
  }
  known.set(made.id, made)
  return made
}

/** Hands out the items of a person's share. */
export function sharedSource(project: Project, campaign: string): ItemSource {
  return {
    read: (keys) => Promise.resolve(keys.flatMap((key) => known.get(key) ?? [])),
    take: async (skip, prefetch) => {
      const items = await takeItems(
        campaign,
        skip.map((key) => idsOf(key).item),
        prefetch,
      )
      return items.map((item) => asItem(project, campaign, item))
    },
  }
}

/** Sends one answer; a permanent refusal is reported like that of any other change. */
export async function sendAnswer(operation: AnnotationOperation): Promise<Answer> {
  const { campaign, item } = idsOf(operation.item)
  const before = known.get(operation.item)
  const annotations: ItemAnnotations = applied(before?.state === 'annotated' ? before.annotations : null, operation)
  const answer = { operation: operation.operation }
  try {
    await data(
      api.PUT('/api/labeling/campaigns/{campaign}/items/{item}', {
        params: { path: { campaign, item } },
        body: { annotations, operation: operation.operation },
      }),
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500)
      throw error
    const { code, title, detail, hint } = error
    return { ...answer, status: 'refused', item: null, refusal: { code, title, detail, hint } }
  }
  const saved = before && {
    ...before,
    annotations: annotations ?? [],
    state: annotations === null ? ('unlabelled' as const) : ('annotated' as const),
  }
  if (saved) known.set(saved.id, saved)
  return { ...answer, status: 'saved', item: saved ?? null, refusal: null }
}
