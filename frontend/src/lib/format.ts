/** Numbers as people read them. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${UNITS[power]}`
}

/** Seconds as `12 s`, `3 min 20 s` or `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return whole % 60 ? `${minutes} min ${whole % 60} s` : `${minutes} min`
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 60)} h`
}

export function formatPercent(fraction: number): string {
  return `${(fraction * 100).toFixed(fraction === 0 || fraction === 1 ? 0 : 1)}%`
}

/** A whole number with its thousands apart. */
export function formatNumber(value: number): string {
  return value.toLocaleString(document.documentElement.lang || 'en')
}
