/** Reads cells for the tests, which compare with Python: a JSON list of `{ what, cell, with }` on standard input. */
import { readFileSync } from 'node:fs'

import type { Cell } from '../api'
import { type Decimal, folded, numberOf, textOf } from '../items/cells'
import { momentReader } from '../items/moments'

const READERS: Record<string, (cell: Cell, given: string[]) => unknown> = {
  number: (cell, [decimal, ...units]) => numberOf(cell, decimal as Decimal, units),
  moment: (cell, [format]) => momentReader(format ?? '')(cell),
  text: textOf,
  folded: (cell) => folded(String(cell)),
}

const requests = JSON.parse(readFileSync(0, 'utf8')) as { what: string; cell: Cell; with: string[] }[]
const written = requests.map((each) => {
  const value = READERS[each.what]?.(each.cell, each.with)
  return typeof value === 'bigint' || Number.isNaN(value) ? String(value) : value
})
process.stdout.write(JSON.stringify(written))
