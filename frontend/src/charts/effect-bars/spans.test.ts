import { expect, it } from 'vitest'

import { effectDomain, effectSpans } from './spans'

it('has space for every error bar and for zero', () => {
  expect(
    effectDomain([
      { key: 'a', value: 4, std: 1 },
      { key: 'b', value: -0.5, std: 0.5 },
    ]),
  ).toEqual([-1, 5])
  expect(effectDomain([{ key: 'a', value: 2, std: 0 }])).toEqual([0, 2])
  expect(effectDomain([])).toEqual([0, 1])
})

it('draws from zero, to the left for what does harm', () => {
  expect(effectSpans({ key: 'a', value: 2, std: 1 }, [-1, 3])).toEqual({
    bar: { left: 0.25, width: 0.5 },
    error: { left: 0.5, width: 0.5 },
  })
  expect(effectSpans({ key: 'b', value: -1, std: 0 }, [-1, 3])).toEqual({ bar: { left: 0, width: 0.25 }, error: null })
})
