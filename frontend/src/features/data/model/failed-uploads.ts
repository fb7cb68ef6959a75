import type { Upload } from '../../../lib/api/types'

/**
 * The newest import, where the server itself fetched it for this person and nothing came: it ended well, so nobody would hear why.
 * Refusals of files are reported while they are sent.
 */
export function failedUpload(newest: Upload | undefined, me: string | undefined): Upload | null {
  if (newest?.kind !== 'batch' || newest.job === null || newest.state !== 'done' || newest.created_by.id !== me) return null
  return newest.num_items === 0 && newest.num_duplicates === 0 && newest.num_rejected > 0 ? newest : null
}
