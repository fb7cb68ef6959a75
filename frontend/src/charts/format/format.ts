/** Numbers as people read them. Fractions become per cent here and nowhere earlier. */

const PLAIN_METRICS = /(^|_)loss$|_ms$|_s$|^num_/

/** True when a metric lies in 0..1 and is shown as per cent. */
export function isFractionMetric(name: string): boolean {
  return !PLAIN_METRICS.test(name)
}

/** A metric's value: per cent for fractions, three significant digits otherwise. */
export function formatMetric(name: string, value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return '–'
  return isFractionMetric(name) ? formatFraction(value) : formatNumber(value)
}

/** `0.9312` as `93.1%`. */
export function formatFraction(value_fraction: number | null | undefined, digits = 1): string {
  if (value_fraction == null || !Number.isFinite(value_fraction)) return '–'
  return `${(value_fraction * 100).toFixed(digits)}%`
}

/** Three significant digits; very small and very large numbers in powers of ten. */
export function formatNumber(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size < 1e-3 || size >= 1e6) return value.toExponential(size >= 1e6 ? 1 : 0).replace('e+', 'e')
  if (Number.isInteger(value)) return String(value)
  return String(Number(value.toPrecision(3)))
}

/** Seconds as `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(value_s: number | null | undefined): string {
  if (value_s == null || !Number.isFinite(value_s)) return '–'
  if (value_s < 1) return `${Math.round(value_s * 1000)} ms`
  if (value_s < 10) return `${Number(value_s.toFixed(1))} s`
  const total = Math.round(value_s)
  if (total < 60) return `${total} s`
  const minutes = Math.floor(total / 60)
  if (minutes < 60) return total % 60 ? `${minutes} min ${total % 60} s` : `${minutes} min`
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`
}

/** Bytes as `812 B`, `3.4 MB`, with decimal units as in file managers. */
export function formatBytes(value_bytes: number | null | undefined): string {
  if (value_bytes == null || !Number.isFinite(value_bytes)) return '–'
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = value_bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit] ?? ''}`
}
