import { expect, it } from 'vitest'

import { errorOf } from './error'

it('reports how far off a number is, above or below', () => {
  expect(errorOf({ truth: [{ kind: 'value', value: 10 }], prediction: [{ kind: 'value', value: 7.5 }] })).toEqual({
    truth: 10,
    prediction: 7.5,
    error: -2.5,
  })
})

it('is null for labels', () => {
  expect(errorOf({ truth: [{ kind: 'class' }], prediction: [{ kind: 'class' }] })).toBeNull()
})
