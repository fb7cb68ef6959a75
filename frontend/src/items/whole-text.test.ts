import { describe, expect, it } from 'vitest'

import { isCut } from './whole-text'

const text = (words: string, num_characters: number) => ({ text: words, picture_url: '/p', media: { num_characters } })

describe('the rest of a text', () => {
  it('is asked for only where there is one', () => {
    expect(isCut(text('房间很干净', 5))).toBe(false)
    expect(isCut(text('房间', 5))).toBe(true)
    expect(isCut({ text: null, picture_url: '/p', media: {} })).toBe(false)
  })

  it('is given in characters as the server counts them', () => {
    expect(isCut(text('😀😀', 2))).toBe(false)
    expect(isCut(text('  two words \n', 9))).toBe(false)
  })
})
