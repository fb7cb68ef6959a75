/** Reads cells as `exporters/runtime/cells.py` does, as far as pages need it: what is missing, and where a cell lies on an axis. */

const MISSING = new Set([
  '',
  'na',
  'n/a',
  '#n/a',
  '#na',
  '<na>',
  'nan',
  'null',
  'none',
  'nil',
  '-',
  '--',
  '?',
  '#null!',
  '#div/0!',
  '#value!',
  '缺失',
])

export type CellKind = 'number' | 'category' | 'datetime' | 'text'

export const isMissing = (cell: string | null | undefined): boolean => cell == null || MISSING.has(cell.trim().toLowerCase())

const AROUND = /^[\s$€£¥￥₹]+|[\s%％$€£¥￥₹元]+$/g
const PLAIN = { '.': /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, ',': /^[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?$/ }
const GROUPED = { '.': /^[+-]?\d{1,3}([,\s'’]\d{3})+(\.\d*)?$/, ',': /^[+-]?\d{1,3}([.\s'’]\d{3})+(,\d*)?$/ }
const PARTED = { '.': /[,\s'’]/g, ',': /[.\s'’]/g }

/** The number that a cell means; NaN where it is missing or none. */
export function numberOf(cell: string, decimal: '.' | ',' = '.'): number {
  if (isMissing(cell)) return NaN
  const text = cell.replace(AROUND, '').replace('\u2212', '-')
  if (text.startsWith('(') && text.endsWith(')')) return -numberOf(text.slice(1, -1), decimal)
  const value = PLAIN[decimal].test(text)
    ? Number(text.replace(',', '.'))
    : GROUPED[decimal].test(text)
      ? Number(text.replace(PARTED[decimal], '').replace(',', '.'))
      : NaN
  return Number.isFinite(value) ? value : NaN
}

/** The moment that an ISO cell or one of seconds or milliseconds means, in seconds since 1970; NaN where it cannot be told here. */
export function secondsOf(cell: string, format = ''): number {
  if (isMissing(cell)) return NaN
  if (format === 'epoch_s') return numberOf(cell)
  if (format === 'epoch_ms') return numberOf(cell) / 1000
  // What has no zone is taken as UTC, where a browser would take its own.
  const text = cell.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  return Date.parse(/T.*(Z|[+-]\d\d(:?\d\d)?)$/i.test(text) || !text.includes('T') ? text : `${text}Z`) / 1000
}

/** Where a cell lies on its column's axis; NaN for what has no order. */
export function positionOf(cell: string, kind: CellKind, options: { decimal?: '.' | ','; format?: string } = {}): number {
  if (kind === 'number') return numberOf(cell, options.decimal)
  return kind === 'datetime' ? secondsOf(cell, options.format) : NaN
}

/** Seconds since 1970 as a date, with the time of day where the span is short. */
export function formatMoment(seconds: number, span_s = Infinity, locale = document.documentElement.lang || 'en'): string {
  if (!Number.isFinite(seconds)) return '–'
  const style: Intl.DateTimeFormatOptions =
    span_s < 3 * 86_400
      ? { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }
      : span_s < 2 * 366 * 86_400
        ? { year: 'numeric', month: 'short', day: 'numeric' }
        : { year: 'numeric', month: 'short' }
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(seconds * 1000)
}
