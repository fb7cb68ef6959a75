/** What the colours of the map mean: a class a picture, and a legend. Pure. */
import type { MapData } from '../api/get-map'

export type ColorBy = 'label' | 'suggestion' | 'state' | 'split' | 'flag'
export const COLOR_BY: readonly ColorBy[] = ['label', 'suggestion', 'state', 'split', 'flag']

/** Named as the project calls an item annotated as empty. */
export const NO_LABEL = 'legend.nothing'

export interface LegendEntry {
  /** What is written, or a key of the dictionary when `isKey`. */
  readonly name: string
  readonly isKey: boolean
  readonly color: string
  readonly count: number
}

export interface Coloring {
  /** Index into the legend of each picture. */
  readonly classes: Uint16Array
  readonly legend: readonly LegendEntry[]
}

export interface Palette {
  /** Of a label by its name. */
  label: (name: string) => string
  series: (index: number) => string
  /** For what has no colour of its own. */
  grey: string
  faint: string
}

/** Legend and classes; entries without a picture are left out, and unlabelled comes last. */
export function coloringOf(data: MapData, by: ColorBy, palette: Palette): Coloring {
  const { raw, names } = rawClasses(data, by, palette)
  const counts = new Map<number, number>()
  for (const value of raw) counts.set(value, (counts.get(value) ?? 0) + 1)
  const used = [...counts.keys()].sort((one, other) => (one < 0 ? Infinity : one) - (other < 0 ? Infinity : other) || other - one)
  const place = new Map(used.map((value, index) => [value, index]))
  const legend = used.map((value) => ({ ...names(value), count: counts.get(value) ?? 0 }))
  return { classes: Uint16Array.from(raw, (value) => place.get(value) ?? 0), legend }
}

type Named = Omit<LegendEntry, 'count'>

function rawClasses(data: MapData, by: ColorBy, palette: Palette): { raw: readonly number[]; names: (value: number) => Named } {
  const ofLabel = (value: number): Named => {
    const name = data.labels[value] ?? ''
    return { name, isKey: false, color: palette.label(name) }
  }
  const nothing = (name: string, color: string): Named => ({ name, isKey: true, color })
  switch (by) {
    case 'label':
      return {
        raw: data.label,
        names: (value) =>
          value >= 0 ? ofLabel(value) : value === -1 ? nothing(NO_LABEL, palette.grey) : nothing('legend.unlabelled', palette.faint),
      }
    case 'suggestion':
      return { raw: data.suggestion, names: (value) => (value >= 0 ? ofLabel(value) : nothing('legend.no_suggestion', palette.faint)) }
    case 'state':
      return {
        raw: data.label.map((label) => (label === -2 ? 1 : 0)),
        names: (value) => (value === 0 ? nothing('legend.labelled', palette.series(0)) : nothing('legend.unlabelled', palette.faint)),
      }
    case 'split':
      return {
        raw: data.split,
        names: (value) => ({ name: `split.${data.splits[value] ?? ''}`, isKey: true, color: palette.series(value) }),
      }
    case 'flag':
      return {
        raw: data.flag,
        names: (value) =>
          value >= 0
            ? { name: data.flags[value] ?? '', isKey: false, color: palette.series(value + 1) }
            : nothing('legend.no_flag', palette.faint),
      }
  }
}
