/** Measured values as people read them. Fractions become per cent here and nowhere earlier. */

import { formatSeconds, language } from '../../lib/format'

const NOTHING = '–'
const PLAIN_METRICS = /(^|_)loss$|_ms$|_s$|_rate$|^num_|^r2$/
/** In the unit of what is predicted. */
const AMOUNTS = /^(rmse|mae)$|_error$/

/** A metric's value: per cent for fractions, an amount in the unit of the target, three significant digits otherwise. */
export function formatMetric(name: string, value: number | null | undefined): string {
  if (AMOUNTS.test(name)) return formatAmount(value)
  return isPlainMetric(name) ? formatNumber(value) : formatFraction(value)
}

/** Whether a metric is written as a bare number: R² is at most 1, and no share of anything that is counted. */
export function isPlainMetric(name: string): boolean {
  return PLAIN_METRICS.test(name)
}

/** `0.9312` as `93.1%`. */
export function formatFraction(value_fraction: number | null | undefined, digits = 1): string {
  if (value_fraction == null || !Number.isFinite(value_fraction)) return NOTHING
  return `${(value_fraction * 100).toFixed(digits)}%`
}

/** Three significant digits; very small and very large numbers in powers of ten. */
export function formatNumber(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return NOTHING
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size < 1e-3 || size >= 1e6) return shortExponent(value)
  if (Number.isInteger(value)) return String(value)
  return String(Number(value.toPrecision(3)))
}

function shortExponent(value: number): string {
  return value.toExponential(1).replace('.0e', 'e').replace('e+', 'e')
}

/** An amount in its own unit: four significant digits, thousands apart, and short from a million on. */
export function formatAmount(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return NOTHING
  const size = Math.abs(value)
  if (size > 0 && size < 1e-4) return shortExponent(value)
  return new Intl.NumberFormat(language(), {
    maximumSignificantDigits: 4,
    notation: size >= 1e6 ? 'compact' : 'standard',
  }).format(value)
}

/** How long one answer took: `0.42 ms`, `12 ms`, `1.3 s`. */
export function formatLatency(value_ms: number | null | undefined): string {
  if (value_ms == null || !Number.isFinite(value_ms)) return NOTHING
  if (value_ms >= 1000) return `${Number((value_ms / 1000).toFixed(1))} s`
  return `${Number(value_ms.toPrecision(value_ms < 10 ? 2 : 3))} ms`
}

/** A stretch of time, or a dash where it is not known. */
export function formatDuration(value_s: number | null | undefined): string {
  return value_s == null || !Number.isFinite(value_s) ? NOTHING : formatSeconds(value_s)
}

/** An estimated time, not more exact than it is: seconds below a minute, else whole minutes or quarters of an hour. */
export function formatEstimate(value_s: number | null | undefined): string {
  if (value_s == null || !Number.isFinite(value_s)) return NOTHING
  const step_s = value_s < 60 ? 1 : value_s < 3600 ? 60 : 900
  return formatSeconds(Math.max(1, Math.round(value_s / step_s)) * step_s)
}
