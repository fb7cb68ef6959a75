import { expect, it } from 'vitest'

import { readText, textOf } from './document-file'
import { LABELS, manyShapes, SAMPLE } from '../../../canvas/samples'

it('writes what it reads', () => {
  const shapes = manyShapes(20, SAMPLE)
  const text = textOf(SAMPLE, LABELS, shapes)
  expect(JSON.parse(text)).toMatchObject({ width: 1600, height: 1000 })
  expect(readText(text)).toEqual({ labels: LABELS, objects: shapes })
  expect(readText(textOf(SAMPLE, [], []))).toEqual({ labels: [], objects: [] })
})

it('refuses what is no such file', () => {
  for (const text of [
    '',
    '[]',
    '{"annotations": 3}',
    '{"annotations": [{"kind": "box", "label": "x"}]}',
    '{"annotations": [{"kind": "polygon"}]}',
    '{"annotations": [{"kind": "mask", "label": "x", "width": 3, "height": 3, "counts": "é"}]}',
  ]) {
    expect([text, readText(text)]).toEqual([text, null])
  }
})
