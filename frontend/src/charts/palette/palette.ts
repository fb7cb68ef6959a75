/**
 * Colours of drawn data, in both schemes. Canvas cannot read CSS variables, so the values live here once.
 * The order keeps neighbours apart for the common forms of colour blindness.
 */

export type Scheme = 'light' | 'dark'

const SERIES: Record<Scheme, readonly string[]> = {
  light: ['#2563eb', '#d9480f', '#0f8a5f', '#9333ea', '#b7791f', '#0e7490', '#be185d', '#4d7c0f', '#6366f1', '#78716c'],
  dark: ['#7aa7ff', '#ff9a5c', '#4fd1a1', '#c99bff', '#f0c35a', '#5fd0e6', '#ff8fbd', '#a8d45a', '#a5a9ff', '#b8b2ab'],
}

export interface ChartColors {
  readonly text: string
  readonly grid: string
  readonly good: string
  readonly bad: string
}

const COLORS: Record<Scheme, ChartColors> = {
  light: { text: '#5c6773', grid: '#e6e9ee', good: '#2563eb', bad: '#d9480f' },
  dark: { text: '#a3adb8', grid: '#30363d', good: '#7aa7ff', bad: '#ff9a5c' },
}

/** Colour of the series at an index; starts again after ten. */
export function seriesColor(index: number, scheme: Scheme): string {
  const colors = SERIES[scheme]
  return colors[index % colors.length] as string
}

/** Colours of axes, grids and of right and wrong. */
export function chartColors(scheme: Scheme): ChartColors {
  return COLORS[scheme]
}

/** `#rrggbb` with an opacity, as canvas understands it. */
export function withOpacity(hex: string, opacity_fraction: number): string {
  const channel = Math.round(Math.min(1, Math.max(0, opacity_fraction)) * 255)
  return `${hex}${channel.toString(16).padStart(2, '0')}`
}
