/** Reads cells as the packages for browsers do (`sdk/items/cells.ts`), as far as pages need it, and places them on an axis. */
import { type Decimal, isMissing, numberOf as numberOrNull } from '../../../sdk/items/cells'

export { isMissing }

export type CellKind = 'number' | 'category' | 'datetime' | 'text'

/** The number that a cell means, with its column's unit or without; NaN where it is missing or none. */
export const numberOf = (cell: string, decimal: Decimal = '.', units: readonly string[] = []): number =>
  numberOrNull(cell, decimal, units) ?? NaN

/** The moment that an ISO cell or one of seconds or milliseconds means, in seconds since 1970; NaN if it cannot be parsed here. */
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
  options: { decimal?: Decimal; units?: readonly string[]; format?: string } = {},
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
