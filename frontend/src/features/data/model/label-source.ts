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

/** How many files look like labels but would travel alone, away from what they speak of; `items` are what the project is of. */
export function numStrayLabels(paths: readonly string[], items: RegExp | null): number {
  return paths.filter((path) => LABEL_FILE.test(path) && !items?.test(path)).length
}
