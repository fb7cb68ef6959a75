// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import { predictionText } from './prediction-text'

const box = (label: string, score: number) => ({ kind: 'box', label, score, x: 1, y: 2, width: 3, height: 4 })

describe('a prediction in a few words', () => {
  it('names each thing once, with how many there are and how sure it is of the best', () => {
    expect(predictionText([box('cat', 0.9), box('dog', 0.55), box('cat', 0.97)])).toBe('cat ×2 97.0% · dog 55.0%')
  })

  it('has no score where none was given, and is empty where nothing was predicted', () => {
    expect(predictionText([{ kind: 'class', label: 'cat' }])).toBe('cat')
    expect(predictionText([])).toBe('')
  })

  it('writes a number as its kind does', () => {
    expect(predictionText([{ kind: 'value', value: 12.5 }])).toBe('12.5')
  })

  it('stops after some', () => {
    expect(predictionText(['a', 'b', 'c', 'd', 'e'].map((label) => box(label, 0.5)))).toMatch(/^a 50.0% · .* · …$/)
  })
})
