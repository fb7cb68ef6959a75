import { expect, it } from 'vitest'

import { annotationsFrom, objectsFrom } from './object'
import { shapeOf } from './shapes'
import { manyShapes, SAMPLE } from './samples'

it('makes the same shapes for the same seed, all within the picture', () => {
  const shapes = manyShapes(500, SAMPLE, 4)
  expect(manyShapes(500, SAMPLE, 4)).toEqual(shapes)
  expect(manyShapes(500, SAMPLE, 5)).not.toEqual(shapes)
  expect(new Set(shapes.map(({ id }) => id)).size).toBe(500)
  for (const shape of shapes) {
    const { minX, minY, maxX, maxY } = shapeOf(shape).bounds(shape)
    expect(minX >= 0 && minY >= 0 && maxX <= SAMPLE.width && maxY <= SAMPLE.height).toBe(true)
  }
})

it('survives being written and read', () => {
  const shapes = manyShapes(50, SAMPLE)
  expect(objectsFrom(JSON.parse(JSON.stringify(annotationsFrom(shapes)))).objects).toEqual(shapes)
})
