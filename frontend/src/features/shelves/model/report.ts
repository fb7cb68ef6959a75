/** A shelf's report for the page and for programs. Pure. */
import { csv } from '../../../lib/csv'
import type { Report, ShelfCheck } from '../api/shelves'

export type Product = Report['products'][number]

/** A line of the table: a product, or all packs without a name. */
export interface Line {
  /** Null: unknown. */
  name: string | null
  count: number
  facings: number
  share: number
  expected: number | null
  missing: number
}

/** What is there, the largest share first, then what the plan misses, then what is unknown. */
export function linesOf({ products, unknown }: Report): Line[] {
  const lines: Line[] = products.filter(({ count, missing }) => count > 0 || missing > 0)
  return unknown.count > 0 ? [...lines, { ...unknown, name: null, expected: null, missing: 0 }] : lines
}

/** Products of the gallery that are neither there nor expected. */
export const absentOf = ({ products }: Report): string[] =>
  products.filter(({ count, missing }) => count === 0 && missing === 0).map(({ name }) => name)

const GOLDEN_DEG = 137.508

/** A colour for each product that is there, as different as their number allows. */
export function coloursOf(report: Report): Map<string, string> {
  const there = report.products.filter(({ count }) => count > 0)
  return new Map(there.map(({ name }, place) => [name, `hsl(${Math.round(place * GOLDEN_DEG) % 360} 75% 55%)`]))
}

/** Packs by product as they are now: what a plan made of the photo expects. */
export const planOf = ({ products }: Report): Record<string, number> =>
  Object.fromEntries(products.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))

/** One row a product; of unknown packs the name is empty. */
export function reportCsv({ report }: ShelfCheck): string {
  const all: Line[] = [...report.products, { ...report.unknown, name: '', expected: null, missing: 0 }]
  const rows = all.map(({ name, count, facings, share, expected, missing }) =>
    [name ?? '', count, facings, share.toFixed(4), expected ?? '', missing].map(String),
  )
  return csv([['product', 'packs', 'facings', 'share', 'expected', 'missing'], ...rows])
}
