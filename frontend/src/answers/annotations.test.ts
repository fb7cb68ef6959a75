import { expect, it } from 'vitest'

import type { Annotation } from '../lib/api/types'
import { numObjects } from './annotations'

function polygon(label: string, id?: string): Annotation {
  return {
    kind: 'polygon',
    label,
    id,
    points: [
      [0, 0],
      [4, 0],
      [4, 4],
    ],
    holes: [],
  } as Annotation
}

it('counts parts of one object once', () => {
  expect(numObjects(null)).toBe(0)
  expect(numObjects([])).toBe(0)
  expect(numObjects([polygon('cup'), polygon('cup')])).toBe(2)
  expect(numObjects([polygon('cup', 'a'), polygon('cup', 'a'), polygon('cup', 'b')])).toBe(2)
  expect(numObjects([polygon('cup', 'a'), polygon('plate', 'a')])).toBe(2)
})
