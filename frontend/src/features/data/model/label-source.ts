import type { IncomingFile } from '../../../lib/upload/incoming'
import { folderLabels, wayOf } from './incoming'

/** Where labels come from: `auto` recognises the format of an archive; `folder`, `none`, or the name of a format. */
export type LabelSource = string

/** The same for files outside archives: their folders, or nothing. */
export function looseSource(source: LabelSource): 'folder' | 'none' {
  return source === 'auto' || source === 'folder' || source === 'image_folder' ? 'folder' : 'none'
}

interface Staged {
  hasArchive: boolean
  hasFolders: boolean
}

/** What is offered, the likeliest first; nothing when there is nothing to choose. */
export function labelSources({ hasArchive, hasFolders }: Staged, formats: readonly string[]): LabelSource[] {
  if (hasArchive) return ['auto', 'none', ...formats]
  return hasFolders ? ['folder', 'none'] : []
}

const LABEL_FILE = /\.(json|jsonl|ndjson|xml|ya?ml|txt|conll)$/i
const stemOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')

/**
 * How many files look like labels but would travel alone, away from what they speak of; `items` are what the project is of. Plain
 * text holds labels where another file has its name: else it may be a note that somebody left.
 */
export function numStrayLabels(paths: readonly string[], items: RegExp | null): number {
  const others = new Set(paths.filter((path) => !LABEL_FILE.test(path)).map(stemOf))
  const isLabels = (path: string) => LABEL_FILE.test(path) && !items?.test(path) && (!/\.txt$/i.test(path) || others.has(stemOf(path)))
  return paths.filter(isLabels).length
}

interface Receiver {
  /** Files of items that would else be taken for files of labels. */
  items: RegExp | null
  /** Whether a folder may label what is in it. */
  takesLabels: boolean
  /** Labels that the project has. */
  known: readonly string[]
}

/** Folders named after splits, not labels. */
const PART = /^(train(ing)?|val(id(ation)?)?|dev|test(ing)?|images?|labels?|annotations?|data)$/i

/**
 * Where the labels of files come from that may be sent as they are dropped; null where something is to be chosen first: what is in an
 * archive or a table, and what folders mean that are called as parts of a data set are. One folder is a label only if there is such a
 * label: it may as well be where the files happened to lie.
 */
export function sourceAtOnce(files: readonly IncomingFile[], { items, takesLabels, known }: Receiver): LabelSource | null {
  if (files.length === 0) return null
  if (files.some((one) => wayOf(one) === 'archive' || (wayOf(one) === 'labels_csv' && !one.isSeen))) return null
  const loose = files.filter((one) => !one.isSeen).map(({ path }) => path)
  if (numStrayLabels(loose, items) > 0) return null
  const folders = folderLabels(files)
  if (folders.length === 0 || !takesLabels) return 'none'
  if (folders.some((name) => PART.test(name))) return null
  return folders.length > 1 || folders.some((name) => known.includes(name)) ? 'folder' : 'none'
}
