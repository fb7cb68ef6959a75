import { describe, expect, it } from 'vitest'

import type { Family } from '../api/types'
import { bySize, isUntaught, isUsual, usualSizes } from './sizes'

const WORD = { en: 'x', zh: 'x' }

function size(name: string, num_parameters: number, more: object = {}) {
  return { name, title: WORD, resolution_px: 128, num_parameters, macs: 1, ...more }
}

function family(sizes: object[], more: object = {}): Family {
  return { name: 'vgg', title: WORD, summary: WORD, can_continue: true, sizes, params: [], ...more } as unknown as Family
}

const known = size('0', 5, { asset: 'lite0' })
const large = size('4', 9, { is_searched: false })
const small = size('3', 3, { is_searched: false })

describe('sizes of a family', () => {
  it('are tried by themselves unless the server says otherwise', () => {
    expect(usualSizes(family([known, large]))).toEqual(['0'])
    expect(isUsual(family([known, large]))).toBe(true)
  })

  it('stand for a family that is only tried where somebody chooses it: its default', () => {
    expect(isUsual(family([large, small]))).toBe(false)
    expect(usualSizes(family([large, small]))).toEqual(['4'])
  })

  it('begin with random numbers where no weights are known and a network is trained', () => {
    expect(isUntaught(family([]), known as never)).toBe(false)
    expect(isUntaught(family([]), large as never)).toBe(true)
    expect(isUntaught(family([], { can_continue: undefined }), large as never)).toBe(false)
  })

  it('are listed from the smallest on', () => {
    expect(bySize([known, large, small] as never).map(({ name }) => name)).toEqual(['3', '0', '4'])
  })
})
