import { describe, expect, it } from 'vitest'

import { seriesColor, withOpacity } from './palette'

describe('palette', () => {
  it('gives ten different colours in each scheme and then starts again', () => {
    for (const scheme of ['light', 'dark'] as const) {
      const colors = Array.from({ length: 10 }, (_, index) => seriesColor(index, scheme))
      expect(new Set(colors).size).toBe(10)
      expect(seriesColor(10, scheme)).toBe(colors[0])
    }
  })

  it('writes opacity as two hex digits and keeps it in range', () => {
    expect(withOpacity('#102030', 0)).toBe('#10203000')
    expect(withOpacity('#102030', 0.02)).toBe('#10203005')
    expect(withOpacity('#102030', 7)).toBe('#102030ff')
  })
})
