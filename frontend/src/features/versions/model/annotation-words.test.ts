import { describe, expect, it } from 'vitest'

import { annotationWords, groupedAnnotations } from './annotation-words'

describe('annotationWords', () => {
  it('shows the label, or what takes its place', () => {
    expect(annotationWords({ kind: 'class', label: 'rose' })).toBe('rose')
    expect(annotationWords({ kind: 'text', text: 'No 7' })).toBe('No 7')
    expect(annotationWords({ kind: 'cell', column: 'age', value: 3 })).toBe('age: 3')
    expect(annotationWords({ kind: 'value', value: 0 })).toBe('0')
  })
})

describe('groupedAnnotations', () => {
  it('counts equal ones and puts those first that are on one side only', () => {
    const box = { kind: 'box', label: 'car' }
    const groups = groupedAnnotations([box, box, { kind: 'box', label: 'bus' }], [2])
    expect(groups).toEqual([
      { words: 'bus', kind: 'box', count: 1, isDifferent: true },
      { words: 'car', kind: 'box', count: 2, isDifferent: false },
    ])
  })

  it('keeps apart a box that changed and one with the same label that did not', () => {
    const box = { kind: 'box', label: 'car' }
    expect(groupedAnnotations([box, box], [1]).map((group) => group.isDifferent)).toEqual([true, false])
  })
})
