/** Decides how files that were dropped or chosen travel. */
import { type IncomingFile, isLitter } from '../../../lib/upload/incoming'

export type Way = 'batch' | 'file' | 'archive' | 'labels_csv' | 'ignore'

const ARCHIVE = /\.(zip|tar|tgz|tar\.(gz|bz2|xz))$/i
/** Tables speak of files wherever they lie; other label files come alone only when no folder is around them. */
const LABELS = /(\.(csv|tsv|xlsx|parquet|arrow|feather)|^[^/]*\.(json|jsonl|ndjson|xml|conll))$/i
/** A file larger than this travels alone, in parts of this size. */
const BATCH_FILE_MAX_BYTES = 8 * 2 ** 20

export function wayOf({ file, path }: IncomingFile): Way {
  if (isLitter(path)) return 'ignore'
  if (ARCHIVE.test(path)) return 'archive'
  if (LABELS.test(path)) return 'labels_csv'
  return file.size > BATCH_FILE_MAX_BYTES ? 'file' : 'batch'
}

/**
 * Drops a folder that all files share when there are folders below it: who drops `pets/` with `pets/cat/1.jpg` means the
 * label `cat`, not `pets`.
 */
export function withoutSharedRoot(files: readonly IncomingFile[]): IncomingFile[] {
  const first = files[0]?.path.split('/')[0]
  const isShared = files.length > 0 && files.every(({ path }) => path.startsWith(`${first}/`))
  const isNested = files.some(({ path }) => path.split('/').length > 2)
  if (first === undefined || !isShared || !isNested) return [...files]
  return files.map(({ file, path }) => ({ file, path: path.slice(first.length + 1), root: first }))
}

/** What of a drop is to be sent, by the paths that count. */
export function sendable(files: readonly IncomingFile[]): IncomingFile[] {
  return withoutSharedRoot(files.filter((one) => wayOf(one) !== 'ignore'))
}

/** What people call a transfer; a second drop of the same files has the same name and is recognised by it. */
export function titleOf(files: readonly IncomingFile[]): string {
  const [first] = files
  if (!first) return ''
  const more = files.length > 1 ? ` + ${files.length - 1}` : ''
  return first.root ?? `${first.path}${more}`
}

/** The labels that folder names would give. */
export function folderLabels(files: readonly IncomingFile[]): string[] {
  const folders = files.filter(({ path }) => path.includes('/')).map(({ path }) => path.split('/')[0] ?? '')
  return [...new Set(folders)].sort()
}

const BATCH_MAX_BYTES = 8 * 2 ** 20
const BATCH_MAX_FILES = 64

/** Groups small files so that one request carries many of them. */
export function batches(files: readonly IncomingFile[]): IncomingFile[][] {
  const out: IncomingFile[][] = []
  let open: IncomingFile[] = []
  let bytes = 0
  for (const one of files) {
    if (open.length && (open.length >= BATCH_MAX_FILES || bytes + one.file.size > BATCH_MAX_BYTES)) {
      out.push(open)
      open = []
      bytes = 0
    }
    open.push(one)
    bytes += one.file.size
  }
  if (open.length) out.push(open)
  return out
}
