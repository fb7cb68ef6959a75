/** A table of texts with other columns read than the server would choose: its first line is written anew, nothing else is touched. */

export interface TextColumns {
  text: number
  /** Null where no column holds labels. */
  label: number | null
}

/** Names that the server knows, in ASCII, so that they can stand before lines of any encoding. */
export function headFor(count: number, { text, label }: TextColumns, separator: string): string {
  const names = Array.from({ length: count }, (_, place) => (place === text ? 'text' : place === label ? 'label' : `column_${place + 1}`))
  return names.join(separator)
}

/** Where the second line begins; a line end within quotes does not end the first. The length of what has but one line. */
export function secondLine(bytes: Uint8Array): number {
  let isQuoted = false
  for (const [at, byte] of bytes.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted
    else if (byte === LINE_END && !isQuoted) return at + 1
  }
  return bytes.length
}

const QUOTE = 0x22
const LINE_END = 0x0a
const READ_BYTES = 64 * 1024

/** The file with these columns named as the texts and the labels. */
export async function withColumns(file: File, count: number, columns: TextColumns, separator: string): Promise<File> {
  const rest = secondLine(new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer()))
  return new File([`${headFor(count, columns, separator)}\n`, file.slice(rest)], file.name, {
    type: file.type,
    lastModified: file.lastModified,
  })
}
