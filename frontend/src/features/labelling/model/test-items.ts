/** Items made by code, for tests. */
import type { ItemAnnotations } from '../../../answers/annotations'
import type { Item } from '../../../lib/api/types'

export function testItem(id: string, annotations: ItemAnnotations = null, revision = 0): Item {
  return {
    id,
    dataset: 'dst_1',
    name: `${id}.jpg`,
    blob: '0'.repeat(64),
    media: { width: 8, height: 8, format: 'jpeg', size_bytes: 100 },
    text: null,
    row: null,
    state: annotations === null ? 'unlabelled' : 'annotated',
    annotations: annotations ?? [],
    revision,
    split: 'train',
    provenance: '',
    created_at: '2026-01-01T00:00:00Z',
    deleted_at: null,
    metadata: {},
    is_quarantined: false,
    thumbnail_url: `/api/items/${id}/thumbnail`,
    picture_url: `/api/items/${id}/picture`,
  }
}
