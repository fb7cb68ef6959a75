/** Turns what was dropped or chosen into a flat list of files with paths, and decides how each of them travels. */

export interface IncomingFile {
  file: File
  /** Path below what was dropped, with `/` between; its first folder may be a label. */
  path: string
  /** The folder that was dropped, when the path is below it. */
  root?: string
}

export type Way = 'batch' | 'file' | 'archive' | 'labels_csv' | 'ignore'

const ARCHIVE = /\.(zip|tar|tgz|tar\.(gz|bz2|xz))$/i
/** Tables speak of files wherever they lie; other label files come alone only when no folder is around them. */
const LABELS = /(\.(csv|tsv|xlsx|parquet|arrow|feather)|^[^/]*\.(json|jsonl|ndjson|xml|conll))$/i
/** Files that systems leave behind in folders. */
const LITTER = /(^|\/)(\.[^/]*|__MACOSX\/.*|thumbs\.db|desktop\.ini)$/i
/** A file larger than this travels alone, in parts of this size. */
const BATCH_FILE_MAX_BYTES = 8 * 2 ** 20

export function wayOf({ file, path }: IncomingFile): Way {
  if (LITTER.test(path)) return 'ignore'
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

/** Reads a drop, folders with all that is in them included. Must be called before the drop event ends. */
export async function filesOfDrop(transfer: DataTransfer): Promise<IncomingFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (!entries.length) return filesOfInput(transfer.files)
  const out: IncomingFile[] = []
  await Promise.all(entries.map((entry) => walk(entry, '', out)))
  return out.sort((one, other) => (one.path < other.path ? -1 : 1))
}

export function filesOfInput(files: Iterable<File>): IncomingFile[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
}

const SLICE_MS = 40

/**
 * Has the browser look up the size of each file. It asks the disk when a size is first read and stands still until the answer is
 * there: for a hundred thousand files of a folder that is many seconds, so it is done a little at a time.
 */
export async function measured(files: IncomingFile[], onProgress: (num_done: number) => void): Promise<IncomingFile[]> {
  let since = performance.now()
  for (const [index, { file }] of files.entries()) {
    void file.size
    if (performance.now() - since < SLICE_MS) continue
    onProgress(index + 1)
    await new Promise((resolve) => setTimeout(resolve))
    since = performance.now()
  }
  return files
}

async function walk(entry: FileSystemEntry, above: string, out: IncomingFile[]): Promise<void> {
  const path = above + entry.name
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      ;(entry as FileSystemFileEntry).file(resolve, reject)
    })
    out.push({ file, path })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A directory is read in portions; an empty one is the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (!portion.length) return
    await Promise.all(portion.map((child) => walk(child, `${path}/`, out)))
  }
}
