import { expect, it } from 'vitest'

import type { ShelfCheck } from '../api/shelves'
import { absentOf, coloursOf, linesOf, planOf, reportCsv } from './report'

const product = (name: string, count: number, share: number, expected: number | null = null) => ({
  name,
  count,
  facings: count,
  share,
  expected,
  missing: Math.max(0, (expected ?? 0) - count),
})
const report: ShelfCheck['report'] = {
  num_packs: 4,
  num_facings: 4,
  num_rows: 1,
  products: [product('tea', 2, 0.5), product('=milk', 1, 0.25, 3), product('jam', 0, 0, 2), product('oil', 0, 0)],
  unknown: { count: 1, facings: 1, share: 0.25 },
  not_seen: ['jam', 'oil'],
}

it('lists what is there, what the plan misses and what is unknown, and names the rest', () => {
  expect(linesOf(report).map(({ name, missing }) => [name, missing])).toEqual([
    ['tea', 0],
    ['=milk', 2],
    ['jam', 2],
    [null, 0],
  ])
  expect(absentOf(report)).toEqual(['oil'])
  expect(linesOf({ ...report, unknown: { count: 0, facings: 0, share: 0 } })).toHaveLength(3)
})

it('gives each product on the photo a colour of its own, and a plan of what is there', () => {
  const colours = coloursOf(report)
  expect([...colours.keys()]).toEqual(['tea', '=milk'])
  expect(new Set(colours.values()).size).toBe(2)
  expect(planOf(report)).toEqual({ tea: 2, '=milk': 1 })
})

it('writes all products for a spreadsheet, formulas disarmed', () => {
  const lines = reportCsv({ report } as ShelfCheck).split('\r\n')
  expect(lines.slice(1, 6)).toEqual([
    'tea,2,2,0.5000,,0',
    "'=milk,1,1,0.2500,3,2",
    'jam,0,0,0.0000,2,2',
    'oil,0,0,0.0000,,0',
    ',1,1,0.2500,,0',
  ])
})
