import { describe, expect, it } from 'vitest'

import { itemsQuery } from './items-query'

describe('itemsQuery', () => {
  it('asks for the pair of a cell, in the split that is shown', () => {
    expect(itemsQuery('test', { kind: 'cell', truth: 'cat', answer: 'dog' })).toEqual({
      split: 'test',
      truth: 'cat',
      prediction: 'dog',
      order: 'loss',
    })
  })

  it('asks for all items of a label, right and wrong', () => {
    expect(itemsQuery('validation', { kind: 'label', label: 'cat' })).toEqual({ split: 'validation', truth: 'cat', order: 'loss' })
  })

  it('asks for mistakes only in the gallery, the worst first', () => {
    expect(itemsQuery('test', { kind: 'errors' })).toEqual({ split: 'test', only: 'errors', order: 'loss' })
  })

  it('asks for the items of a slice by its place, the worst first', () => {
    expect(itemsQuery('test', { kind: 'slice', place: 0 })).toEqual({ split: 'test', slice: 0, order: 'loss' })
  })
})
