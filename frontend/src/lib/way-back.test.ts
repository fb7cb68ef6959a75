import { expect, it } from 'vitest'

import { wayBackOf } from './way-back'

it('reads the way back that a page left, and nothing else', () => {
  const back = { to: '/projects/p/models/m?item=i', name: 'Model 1' }
  expect(wayBackOf({ ids: ['i'], back })).toEqual(back)
  expect(wayBackOf(null)).toBeNull()
  expect(wayBackOf({ ids: ['i'] })).toBeNull()
  expect(wayBackOf({ back: { to: 3 } })).toBeNull()
})
