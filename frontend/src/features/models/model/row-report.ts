/** What the charts draw of a report of rows. */

import type { SwarmLine } from '../../../charts/beeswarm/beeswarm'
import type { DependencePoint } from '../../../charts/dependence/points'
import type { TruthPoint } from '../../../charts/truth-scatter/points'
import type { Contribution } from '../../../charts/waterfall/steps'
import { type CellKind, positionOf } from '../../../lib/table/cells'
import type { Manifest, RegressionFit, TableReport } from '../api/types'

/** Whose answers are shown first: of two labels the second, which is the one that "yes" is called in most tables. */
export const firstLabel = (labels: readonly string[]): number => (labels.length === 2 ? 1 : 0)

/** The columns, the most important first, those without an effect last. */
export function columnsByImportance({ columns, effects }: Pick<TableReport, 'columns' | 'effects'>): string[] {
  const known = effects.map(({ column }) => column)
  return [...known, ...columns.filter((column) => !known.includes(column))]
}

/** How each column's cells are read, from the artefact. */
export function readersOf(manifest: Pick<Manifest, 'decode'>): (column: string, cell: string) => number {
  const columns = 'columns' in manifest.decode ? manifest.decode.columns : []
  const known = new Map(columns.map((column) => [column.name, column]))
  return (name, cell) => {
    const column = known.get(name)
    if (!column) return NaN
    return positionOf(cell, column.kind, { decimal: column.decimal ?? '.', units: column.units, format: column.datetime_format ?? '' })
  }
}

/** A line a column, of those that count most. */
export function swarmLines(
  table: Pick<TableReport, 'columns' | 'effects' | 'shap_rows'>,
  output: number,
  read: (column: string, cell: string) => number,
  max: number,
): SwarmLine[] {
  const strengths = new Map(table.effects.map(({ column, mean_abs_shap }) => [column, mean_abs_shap]))
  const places = table.columns
    .map((column, place) => ({ column, place }))
    .sort((one, other) => (strengths.get(other.column) ?? 0) - (strengths.get(one.column) ?? 0))
  return places.slice(0, max).map(({ column, place }) => ({
    column,
    points: table.shap_rows.map(({ item, cells, values }) => ({
      item,
      value: values[place]?.[output] ?? 0,
      cell: cells[place] ?? '',
      position: read(column, cells[place] ?? ''),
    })),
  }))
}

/** What made the answer for one of the explained rows. */
export function contributionsOf(table: Pick<TableReport, 'columns' | 'shap_rows'>, item: string, output: number): Contribution[] | null {
  const row = table.shap_rows.find((each) => each.item === item)
  if (!row) return null
  return table.columns.map((column, place) => ({ column, cell: row.cells[place] ?? '', value: row.values[place]?.[output] ?? 0 }))
}

/** The points of one partial dependence, for one output. Dates are in ISO format, whatever the column's. */
export function dependencePoints(one: TableReport['dependence'][number], output: number): DependencePoint[] {
  return one.cells.map((cell, index) => ({
    cell,
    position: positionOf(cell, one.kind as CellKind),
    mean: one.mean[index]?.[output] ?? 0,
    share: one.share[index] ?? 0,
  }))
}

/** Truth and prediction by row. */
export function truthPoints({ items, truth, prediction }: Pick<RegressionFit, 'items' | 'truth' | 'prediction'>): TruthPoint[] {
  return items.map((item, index) => ({ item, truth: truth[index] ?? NaN, prediction: prediction[index] ?? NaN }))
}
