import { describe, expect, it } from 'vitest'

import { excerptOf, placeOf } from './excerpt'

describe('the part of a text that a search found', () => {
  it('is found whatever the case, and blanks around the words do not count', () => {
    expect(placeOf('The Room was clean', ' room ')).toEqual({ from: 4, to: 8 })
    expect(placeOf('房间很干净', '干净')).toEqual({ from: 3, to: 5 })
    expect(placeOf('The room', 'bath')).toBeNull()
    expect(placeOf('The room', '  ')).toBeNull()
  })

  it('stays with the whole text where it stands at the beginning', () => {
    expect(excerptOf('The room was clean', 'room')).toEqual({ before: 'The ', match: 'room', after: ' was clean' })
  })

  it('is brought to the front of a long text', () => {
    const text = `${'lorem '.repeat(200)}needle in hay`
    expect(excerptOf(text, 'needle')).toEqual({ before: `…${'lorem '.repeat(6)}`, match: 'needle', after: ' in hay' })
    expect(excerptOf(`${'房间'.repeat(100)}很干净`, '干净').before).toBe(`…${'间房'.repeat(19)}间很`)
  })

  it('is the text as it is where nothing stands in it, or where places are unknown', () => {
    expect(excerptOf('plain', 'other')).toEqual({ before: 'plain', match: '', after: '' })
    expect(excerptOf('İstanbul', 'stan')).toEqual({ before: 'İstanbul', match: '', after: '' })
  })
})
