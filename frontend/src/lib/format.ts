/** Numbers as people read them. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  return inBytes(bytes, 100)
}

/** A size that is only roughly known: no decimals from ten on. */
export function formatRoughBytes(bytes: number): string {
  return inBytes(bytes, 10)
}

function inBytes(bytes: number, wholeFrom: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= wholeFrom ? value.toFixed(0) : value.toFixed(1)} ${UNITS[power]}`
}

/** Seconds as `12 sec`, `3 min 20 sec` or `2 hr 5 min`, in the page's language. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  if (minutes === 0) return inUnit(whole, 'second')
  const [large, small] =
    minutes < 60
      ? [inUnit(minutes, 'minute'), whole % 60 && inUnit(whole % 60, 'second')]
      : [inUnit(Math.floor(minutes / 60), 'hour'), minutes % 60 && inUnit(minutes % 60, 'minute')]
  return small ? `${large} ${small}` : large
}

function inUnit(value: number, unit: 'second' | 'minute' | 'hour'): string {
  return spacedOut(new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'short' }).format(value))
}

/** What the browser writes as `3小时前`, with a space about its number as in the rest of the page. */
export function spacedOut(words: string): string {
  return words.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')
}

export function formatPercent(fraction: number): string {
  return `${(fraction * 100)
    .toFixed(1)
    .replace(/^-?0\.0$/, '0')
    .replace(/^100\.0$/, '100')}%`
}

/** A whole number with its thousands apart. */
export function formatNumber(value: number): string {
  return value.toLocaleString(language())
}

/** A large number in a few characters: `23.5M`, `2351万`. */
export function formatCompact(value: number): string {
  return new Intl.NumberFormat(language(), { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** The page's language, for the browser's own words and numbers. */
export function language(): string {
  return document.documentElement.lang || 'en'
}
