/** What to download of a version. */
export interface DownloadChoice {
  format: string
  hasPictures: boolean
}

/** Where the download is; the browser fetches it by itself, so that it can pause and go on. */
export function downloadHref(version: string, { format, hasPictures }: DownloadChoice): string {
  const query = new URLSearchParams({ format, pictures: String(hasPictures) })
  return `/api/versions/${encodeURIComponent(version)}/download?${query}`
}

/** Where the labels of a project are, as they stand. */
export function labelsHref(project: string, { format, hasPictures }: DownloadChoice): string {
  const query = new URLSearchParams({ format, pictures: String(hasPictures) })
  return `/api/projects/${encodeURIComponent(project)}/labels/download?${query}`
}

interface Losing {
  name: string
  kinds_lost: readonly string[]
  loses: readonly unknown[]
}

/** Formats that keep more come first; of equals the names decide. */
export function byLosses<T extends Losing>(formats: readonly T[]): T[] {
  const weight = (one: T) => one.kinds_lost.length * 100 + one.loses.length
  return [...formats].sort((a, b) => weight(a) - weight(b) || a.name.localeCompare(b.name))
}
