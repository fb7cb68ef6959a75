/** What of a table is sent for a look at it before it is uploaded, and what a person can say of how it is read. */
import type { components } from '../../../lib/api/schema'
import type { TableOptions } from '../../../lib/upload/incoming'

export type TablePreview = components['schemas']['TablePreviewOut']
export type { TableOptions }

export const SEPARATORS = [',', ';', '\t', '|', ''] as const
export const ENCODINGS = ['utf-8', 'utf-16', 'gb18030', 'big5', 'shift-jis', 'windows-1252'] as const
export const DECIMALS = ['.', ','] as const

const IN_LINES = /\.(csv|tsv|tab|jsonl|ndjson)$/i
const START_BYTES = 256 * 1024
/** As the server takes at most. */
const WHOLE_BYTES = 16 * 2 ** 20

/** As much of a file as is needed; null of one that is too large to be looked at. */
export function beginning(file: File): { part: Blob; isWhole: boolean } | null {
  if (IN_LINES.test(file.name)) return { part: file.slice(0, START_BYTES), isWhole: file.size <= START_BYTES }
  return file.size <= WHOLE_BYTES ? { part: file, isWhole: true } : null
}

/** What is chosen, as query fields. */
export function previewQuery(name: string, isWhole: boolean, { columns, ...others }: TableOptions): URLSearchParams {
  const fields = { name, is_whole: isWhole, ...others, ...columns }
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return new URLSearchParams(given.map(([field, value]) => [field, String(value)]))
}

/** With one thing chosen anew; what parts the cells, and which sheet they are of, decides which columns there are. */
export function withOption<Name extends keyof TableOptions>(chosen: TableOptions, name: Name, value: TableOptions[Name]): TableOptions {
  const isOfOthers = name === 'separator' || name === 'sheet'
  const { columns, ...rest } = chosen
  const after = { ...(isOfOthers || !columns ? rest : chosen), [name]: value }
  return Object.fromEntries(Object.entries(after).filter(([, one]) => one !== null && one !== undefined))
}
