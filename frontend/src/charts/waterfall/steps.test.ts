import { expect, it } from 'vitest'

import { waterfall, waterfallDomain } from './steps'

const part = (column: string, value: number) => ({ column, cell: '1', value })

it('leads from the mean answer to this one, the largest step first', () => {
  const drawn = waterfall(10, [part('a', 1), part('b', -4), part('c', 2)])
  expect(drawn.steps.map(({ column, from, to }) => [column, from, to])).toEqual([
    ['b', 10, 6],
    ['c', 6, 8],
    ['a', 8, 9],
  ])
  expect(drawn.answer).toBe(9)
})

it('puts what is small together and loses nothing', () => {
  const drawn = waterfall(
    0,
    Array.from({ length: 20 }, (_, index) => part(`c${index}`, index + 1)),
    5,
  )
  expect(drawn.steps).toHaveLength(5)
  expect(drawn.steps.at(-1)).toMatchObject({ num: 16, to: 210 })
  expect(drawn.answer).toBe(210)
})

it('has space for every step', () => {
  const [low, high] = waterfallDomain(waterfall(1, [part('a', -3), part('b', 2.5)]))
  expect(low).toBeLessThan(-2)
  expect(high).toBeGreaterThan(1)
})
