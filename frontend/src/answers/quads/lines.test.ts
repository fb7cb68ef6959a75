import { describe, expect, it } from 'vitest'

import type { AnnotationLike } from '../kind'
import { linesJudged, textOf } from './lines'

const line = (text: string, score: number | null = null): AnnotationLike => ({
  kind: 'polygon',
  label: 'text',
  points: [
    [0, 0],
    [9, 0],
    [9, 3],
    [0, 3],
  ],
  attributes: [{ name: 'text', value: text }],
  score,
})

describe('lines of text', () => {
  it('say what their attribute says, and nothing where nobody can read them', () => {
    expect(textOf(line(' A  1 '))).toBe('A 1')
    expect(textOf(line('###'))).toBe('')
    expect(textOf({})).toBe('')
  })

  it('are right, wrong, missed or not there', () => {
    const truth = [line('A1'), line('B2'), line('C3'), line('###')]
    const prediction = [line('A1', 0.9), line('B8', 0.8), line('D4', 0.7), line('weak', 0.1)]
    const matches: [number, number][] = [
      [0, 0],
      [1, 1],
    ]
    const found = linesJudged({ truth, prediction, matches }, { text: 0.5 })
    expect(found.map(({ outcome, truth: expected, given }) => [outcome, expected, given])).toEqual([
      ['right', 'A1', 'A1'],
      ['wrong', 'B2', 'B8'],
      ['false', '', 'D4'],
      ['missed', 'C3', ''],
    ])
  })
})
