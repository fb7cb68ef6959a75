import { describe, expect, it } from 'vitest'

import { isSlug, slugOf } from './slug'

describe('slugOf', () => {
  it.each([
    ['Cats & Dogs, v2', 'cats-dogs-v2'],
    ['  Größe ', 'gro-e'],
    ['Köln Café', 'koln-cafe'],
    ['Clinic 诊断', 'clinic'],
    ['猫狗分类', ''],
  ])('makes %s into "%s"', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  it('is made of something else where the name has no letters for it', () => {
    expect(slugOf('猫狗分类', 'image_classification')).toBe('image-classification')
    expect(slugOf('Cats', 'image_classification')).toBe('cats')
  })

  it('stays short enough for an address, and is one', () => {
    expect(slugOf('a'.repeat(100))).toHaveLength(63)
    expect(isSlug(slugOf(`${'a'.repeat(62)} b`))).toBe(true)
  })
})
