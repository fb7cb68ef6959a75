import { expect, it } from 'vitest'

import type { JudgedItem } from '../kind'
import { explainedBoxes } from './explained'

const box = (label: string, x: number, score?: number) => ({
  kind: 'box' as const,
  label,
  x,
  y: 2,
  width: 3,
  height: 4,
  score: score ?? null,
})

it('offers objects that were found, imagined and missed, by where they lie', () => {
  const item = {
    truth: [box('cat', 1), box('cat', 50)],
    prediction: [box('cat', 2, 0.9), box('dog', 30, 0.6), box('dog', 9, 0.1)],
    matches: [[0, 0]],
  }
  expect(explainedBoxes(item as unknown as JudgedItem, { cat: 0.5, dog: 0.5 })).toEqual([
    { label: 'cat', outcome: 'found', score_fraction: 0.9, box: { x: 2, y: 2, width: 3, height: 4 } },
    { label: 'dog', outcome: 'false', score_fraction: 0.6, box: { x: 30, y: 2, width: 3, height: 4 } },
    { label: 'cat', outcome: 'missed', score_fraction: null, box: { x: 50, y: 2, width: 3, height: 4 } },
  ])
})
