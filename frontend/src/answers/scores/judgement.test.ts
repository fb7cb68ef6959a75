import { describe, expect, it } from 'vitest'

import { judgement } from './judgement'

const label = (name: string, score?: number) => ({ kind: 'class', label: name, ...(score !== undefined && { score }) })

describe('judgement', () => {
  it('takes the best answer where one label fits', () => {
    expect(judgement([label('cat')], [label('dog', 0.6), label('cat', 0.4)], {})).toEqual({
      truth: ['cat'],
      answer: ['dog'],
      score_fraction: 0.6,
      isRight: false,
    })
  })

  it('takes what reaches its threshold where several labels may', () => {
    const prediction = [label('cat', 0.9), label('dog', 0.45), label('owl', 0.45)]
    const judged = judgement([label('dog'), label('cat')], prediction, { cat: 0.5, dog: 0.4, owl: 0.6 })
    expect(judged.answer).toEqual(['cat', 'dog'])
    expect(judged.isRight).toBe(true)
  })

  it('calls an empty answer right where nothing is there', () => {
    expect(judgement([], [label('cat', 0.1)], { cat: 0.5 })).toMatchObject({ answer: [], isRight: true })
  })
})
