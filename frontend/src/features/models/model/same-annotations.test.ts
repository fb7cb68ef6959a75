import { describe, expect, it } from 'vitest'

import { isSameAnnotations } from './same-annotations'

const box = { kind: 'box', label: 'cat', x: 1, y: 2, width: 3, height: 4 }

describe('equal annotations', () => {
  it('is alike in any order and whoever made it', () => {
    const other = { ...box, label: 'dog' }
    expect(isSameAnnotations([box, other], [{ ...other, score: 0.9 }, box])).toBe(true)
  })

  it.each([
    ['another label', [{ kind: 'class', label: 'a' }], [{ kind: 'class', label: 'b' }]],
    ['another number', [{ kind: 'value', value: 1 }], [{ kind: 'value', value: 2 }]],
    ['a box that was moved', [box], [{ ...box, x: 2 }]],
    ['one box more', [box], [box, box]],
  ])('differs by %s', (_, one, other) => {
    expect(isSameAnnotations(one, other)).toBe(false)
  })
})
