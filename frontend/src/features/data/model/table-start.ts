/** The first lines of a table that is text, for a person to look at before it is sent. The server reads the whole of it by itself. */

export interface TableStart {
  columns: readonly string[]
  /** Some more than are shown. */
  rows: readonly (readonly string[])[]
  /** Between cells; null where another first line would say nothing, or could not be read with the others. */
  separator: string | null
}

const READ_BYTES = 64 * 1024
export const ROWS = 4
/** Enough to see what columns hold. */
const READ_ROWS = 40
const SEPARATORS = [',', ';', '\t', '|'] as const

/** Null of what is no text, or holds no line. */
export async function tableStart(file: File): Promise<TableStart | null> {
  const kind = /\.(csv|tsv|jsonl|ndjson)$/i.exec(file.name)?.[1]?.toLowerCase()
  if (!kind) return null
  const bytes = new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer())
  const text = decoded(bytes)
  if (kind.endsWith('l') || kind === 'ndjson') return ofJsonLines(text)
  const separator = kind === 'tsv' ? '\t' : separatorOf(text)
  const [columns, ...rows] = linesOf(text, separator)
  return columns ? { columns, rows, separator: isWide(bytes) ? null : separator } : null
}

/** Whether a character takes two bytes. */
const isWide = ([first, second]: Uint8Array) => (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** UTF-8, UTF-16 with its mark, or what Chinese files are in else. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    // The last character may be cut.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** What stands most often in the first line. */
export function separatorOf(text: string): string {
  const line = text.slice(0, text.search(/\r?\n|$/)).replace(/"[^"]*"/g, '')
  const count = (separator: string) => line.split(separator).length
  return SEPARATORS.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ',')
}

/** The first line and some more, each in its cells; a cell in quotes may hold separators and line ends. */
export function linesOf(text: string, separator: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => (cells.push(cell.trim()), (cell = ''))
  const endLine = () => {
    endCell()
    if (cells.some(Boolean)) lines.push(cells)
    cells = []
  }
  for (let at = 0; at < text.length && lines.length <= READ_ROWS; at++) {
    const char = text.charAt(at)
    if (isQuoted && char === '"' && text.charAt(at + 1) === '"') {
      cell += '"'
      at++
    } else if (char === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted
    else if (isQuoted) cell += char
    else if (char === separator) endCell()
    else if (char === '\n') endLine()
    else cell += char
  }
  if (lines.length <= READ_ROWS && (cell || cells.length)) endLine()
  return lines
}

function ofJsonLines(text: string): TableStart | null {
  const found: Record<string, unknown>[] = []
  for (const line of text.split('\n').slice(0, READ_ROWS)) {
    try {
      const row: unknown = JSON.parse(line)
      if (typeof row === 'object' && row !== null) found.push({ ...row })
    } catch {
      // A blank line, or one that is cut.
    }
  }
  const columns = [...new Set(found.flatMap((row) => Object.keys(row)))]
  const shown = (value: unknown) => (value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value))
  return columns.length > 0 ? { columns, rows: found.map((row) => columns.map((name) => shown(row[name]))), separator: null } : null
}
