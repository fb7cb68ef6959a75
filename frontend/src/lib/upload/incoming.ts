/** Turns what was dropped or chosen into a flat list of files with paths. */

import type { components } from '../api/schema'

export type TableOptions = Partial<components['schemas']['TableOptions']>

export interface IncomingFile {
  file: File
  /** Path below what was dropped, with `/` between; its first folder may be a label. */
  path: string
  /** The folder that was dropped, when the path is below it. */
  root?: string
  /** What a person says of how a table is read. */
  table?: TableOptions
  /** The person has seen what is in it: nothing more is asked. */
  isSeen?: true
}

/** Files that systems leave behind in folders. */
const LITTER = /(^|\/)(\.[^/]*|__MACOSX\/.*|thumbs\.db|desktop\.ini)$/i

export const isLitter = (path: string) => LITTER.test(path)

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
