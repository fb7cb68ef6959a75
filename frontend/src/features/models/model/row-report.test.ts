import { describe, expect, it } from 'vitest'

import { columnsByImportance, contributionsOf, dependencePoints, firstLabel, readersOf, swarmLines, truthPoints } from './row-report'

const effect = (column: string, mean_abs_shap: number) => ({ column, importance: 0, importance_std: 0, mean_abs_shap })
const table = {
  columns: ['age', 'city', 'since'],
  effects: [effect('city', 0.1), effect('age', 0.5)],
  shap_rows: [
    {
      item: 'itm_1',
      cells: ['41', 'Ulm', '2020-01-02'],
      values: [
        [-0.2, 0.2],
        [0.1, -0.1],
        [0, 0],
      ],
    },
    {
      item: 'itm_2',
      cells: ['', 'Bonn', ''],
      values: [
        [0.3, -0.3],
        [0, 0],
        [0.05, -0.05],
      ],
    },
  ],
}
const read = readersOf({
  decode: {
    kind: 'row',
    target: 'bought',
    columns: [
      { name: 'age', kind: 'number', decimal: '.', units: [], datetime_format: '', choices: [], typical: '' },
      { name: 'city', kind: 'category', decimal: '.', units: [], datetime_format: '', choices: [], typical: '' },
      { name: 'since', kind: 'datetime', decimal: '.', units: [], datetime_format: '', choices: [], typical: '' },
    ],
  },
})

it('lists every column once, the most important first', () => {
  expect(columnsByImportance(table)).toEqual(['city', 'age', 'since'])
})

it('begins with the second of two labels and the first of many', () => {
  expect([firstLabel(['no', 'yes']), firstLabel(['a', 'b', 'c']), firstLabel([])]).toEqual([1, 0, 0])
})

describe('swarmLines', () => {
  it('has a line for each column that counts most, with the cells as they lie on its axis', () => {
    const lines = swarmLines(table, 1, read, 2)
    expect(lines.map(({ column }) => column)).toEqual(['age', 'city'])
    expect(lines[0]?.points).toEqual([
      { item: 'itm_1', value: 0.2, cell: '41', position: 41 },
      { item: 'itm_2', value: -0.3, cell: '', position: NaN },
    ])
    expect(lines[1]?.points.map(({ position }) => position)).toEqual([NaN, NaN])
  })
})

it('gives what made one answer, and nothing for a row that was not explained', () => {
  expect(contributionsOf(table, 'itm_1', 0)?.map(({ value }) => value)).toEqual([-0.2, 0.1, 0])
  expect(contributionsOf(table, 'itm_9', 0)).toBeNull()
})

it('places a dependence along its column', () => {
  const one = { column: 'since', kind: 'datetime' as const, cells: ['1970-01-01', '1970-01-02'], mean: [[1], [2]], share: [0.5, 0.5] }
  expect(dependencePoints(one, 0).map(({ position, mean }) => [position, mean])).toEqual([
    [0, 1],
    [86_400, 2],
  ])
})

it('pairs truth and prediction', () => {
  expect(truthPoints({ items: ['a', 'b'], truth: [1, 2], prediction: [1.5, 1] })[1]).toEqual({ item: 'b', truth: 2, prediction: 1 })
})
