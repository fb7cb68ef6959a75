import { expect, it } from 'vitest'

import { evidencePieces, isEmpty, shadeOf } from './evidence'

const segment = (start: number, end: number, weight: number) => ({ start, end, weight, fall: weight / 2 })

it('cuts where the server counted, also behind characters that JavaScript makes of two', () => {
  const text = '😀 很好，\n bad 🐈.'
  const pieces = evidencePieces(text, [segment(0, 2, 0), segment(2, 7, 1), segment(7, 11, -0.5), segment(11, 13, 0.01)])
  expect(pieces.map((piece) => piece.text)).toEqual(['😀', '很好，', 'bad', '🐈.'])
  expect(pieces.map(({ before, text: inner, after }) => before + inner + after).join('')).toBe(text)
})

it('goes on behind the last segment without a tint', () => {
  const pieces = evidencePieces('one two three', [segment(0, 4, 1)])
  expect(pieces.map(({ text, strength }) => [text, strength])).toEqual([
    ['one', 1],
    ['two three', 0],
  ])
})

it('tints by weight, and not at all what hardly counts', () => {
  const pieces = evidencePieces('ab c', [segment(0, 1, 1), segment(1, 2, -0.5), segment(2, 4, 0.05)])
  expect(pieces.map((piece) => piece.strength)).toEqual([1, 0.5, 0])
  expect(pieces.map((piece) => Math.sign(piece.weight))).toEqual([1, -1, 1])
})

it('keeps white space at both ends out of the tint', () => {
  expect(evidencePieces('  one  ', [segment(0, 7, 1)])[0]).toMatchObject({ before: '  ', text: 'one', after: '  ' })
})

it('leaves clear what speaks for the label, darkens what counts nothing and tints what speaks against it', () => {
  const [clear, dark, orange] = [0, 4, 8].map((from) => [...shadeOf({ weights: [1, 0, -1] }).slice(from, from + 4)])
  expect(clear?.[3]).toBe(0)
  expect(dark).toEqual([0, 0, 0, 173])
  expect(orange?.[0]).toBeGreaterThan(200)
  expect(orange?.[3]).toBe(173)
})

it('knows that nothing counts, in a text and in a picture', () => {
  const grid = { rows: 1, columns: 2, falls: [0, 0.2], weights: [0, 1] }
  expect(isEmpty({ label: 'cat', segments: [segment(0, 2, 0)], grid: null })).toBe(true)
  expect(isEmpty({ label: 'cat', segments: [], grid })).toBe(false)
  expect(isEmpty({ label: 'cat', segments: [], grid: { ...grid, weights: [0, 0] } })).toBe(true)
})
