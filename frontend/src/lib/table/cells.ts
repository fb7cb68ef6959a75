/** Reads cells as `runtime/cells.py` does, as far as pages need it: what is missing, and where a cell lies on an axis. */

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
/** A sign in front of a currency's. */
const SIGNED = /^\s*([+-])(?=\s*[$€£¥￥₹])[\s$€£¥￥₹]*/
const ANY_CASE_CHARS = 3
const PLAIN = { '.': /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, ',': /^[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?$/ }
const GROUPED = { '.': /^[+-]?\d{1,3}([,\s'’]\d{3})+(\.\d*)?$/, ',': /^[+-]?\d{1,3}([.\s'’]\d{3})+(,\d*)?$/ }
const PARTED = { '.': /[,\s'’]/g, ',': /[.\s'’]/g }

/** The number that a cell means, with its column's unit or without; NaN where it is missing or none. */
export function numberOf(cell: string, decimal: '.' | ',' = '.', units: readonly string[] = []): number {
  if (isMissing(cell)) return NaN
  const whole = cell.trim().replace('\u2212', '-')
  const [isOuter, inside] = outOfParentheses(whole)
  const [isInner, text] = isOuter ? [false, bareOf(inside, units)] : outOfParentheses(bareOf(inside, units))
  const value = PLAIN[decimal].test(text)
    ? Number(text.replace(',', '.'))
    : GROUPED[decimal].test(text)
      ? Number(text.replace(PARTED[decimal], '').replace(',', '.'))
      : NaN
  return Number.isFinite(value) ? (isOuter || isInner ? -value : value) : NaN
}

const outOfParentheses = (text: string): [boolean, string] =>
  text.startsWith('(') && text.endsWith(')') ? [true, text.slice(1, -1)] : [false, text]

/** A number's text without its unit, or, where the column has none, without signs of currencies and per cent. */
function bareOf(text: string, units: readonly string[]): string {
  if (!units.length) return text.replace(SIGNED, '$1').replace(AROUND, '')
  const [, sign = '', signed = ''] = /^\s*([+-]?)\s*(.*?)\s*$/s.exec(text) ?? []
  const longest = [...units].sort((one, other) => other.length - one.length)
  const isUnit = (part: string, unit: string) =>
    part === unit || (unit.length >= ANY_CASE_CHARS && part.toLowerCase() === unit.toLowerCase())
  const before = longest.find((unit) => isUnit(signed.slice(0, unit.length), unit)) ?? ''
  const rest = signed.slice(before.length).trimStart()
  const behind = longest.find((unit) => isUnit(rest.slice(-unit.length), unit)) ?? ''
  return sign + rest.slice(0, rest.length - behind.length).trimEnd()
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
export function positionOf(
  cell: string,
  kind: CellKind,
  options: { decimal?: '.' | ','; units?: readonly string[]; format?: string } = {},
): number {
  if (kind === 'number') return numberOf(cell, options.decimal, options.units)
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
