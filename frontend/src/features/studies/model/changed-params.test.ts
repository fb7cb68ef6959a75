import { expect, it } from 'vitest'

import { changedParams } from './changed-params'

it('names what differs, also between families that do not share a parameter', () => {
  expect(
    changedParams([
      { lr: 0.1, epochs: 5 },
      { lr: 0.2, epochs: 5, head: 'linear' },
    ]),
  ).toEqual(['lr'])
})

it('names everything of a lone set', () => {
  expect(changedParams([{ lr: 0.1, flip: true }])).toEqual(['lr', 'flip'])
})
