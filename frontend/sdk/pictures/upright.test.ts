import { describe, expect, it } from 'vitest'

import { ModelError } from '../errors'
import { upright } from './upright'

/** Grey pixels of these values. */
const grey = (width: number, values: number[]) => ({
  data: Uint8Array.from(values.flatMap((value) => [value, value, value])),
  width,
  height: values.length / width,
})
const valuesOf = (rgb: Uint8Array) => [...rgb].filter((_, place) => place % 3 === 0)

describe('upright', () => {
  it('undoes each orientation', () => {
    // As a camera stores what is seen as 1 2 3 above 4 5 6.
    const stored: Record<number, [width: number, values: number[]]> = {
      1: [3, [1, 2, 3, 4, 5, 6]],
      2: [3, [3, 2, 1, 6, 5, 4]],
      3: [3, [6, 5, 4, 3, 2, 1]],
      4: [3, [4, 5, 6, 1, 2, 3]],
      5: [2, [1, 4, 2, 5, 3, 6]],
      6: [2, [3, 6, 2, 5, 1, 4]],
      7: [2, [6, 3, 5, 2, 4, 1]],
      8: [2, [4, 1, 5, 2, 6, 3]],
    }
    for (const [orientation, [width, values]] of Object.entries(stored)) {
      const seen = upright(grey(width, values), 100, Number(orientation))
      expect([seen.width, seen.height, seen.widthPx, seen.heightPx]).toEqual([3, 2, 3, 2])
      expect(valuesOf(seen.rgb), `orientation ${orientation}`).toEqual([1, 2, 3, 4, 5, 6])
    }
  })

  it('shrinks by a whole factor, and means what is there at the edges', () => {
    const seen = upright(grey(5, [10, 20, 30, 40, 7, 50, 60, 70, 80, 8, 2, 4, 6, 8, 9]), 1)
    expect([seen.width, seen.height, seen.widthPx, seen.heightPx]).toEqual([2, 1, 5, 3])
    expect(valuesOf(seen.rgb)).toEqual([28, 25])
  })

  it('keeps both sides at the smallest at least', () => {
    expect(
      upright(
        grey(
          4,
          Array.from({ length: 12 }, () => 0),
        ),
        2,
      ),
    ).toMatchObject({ width: 4, height: 3 })
  })

  it('lays transparency over white', () => {
    const data = Uint8Array.of(0, 100, 200, 255, 0, 100, 200, 0, 0, 100, 200, 51)
    expect([...upright({ data, width: 3, height: 1 }, 9).rgb]).toEqual([0, 100, 200, 255, 255, 255, 204, 224, 244])
  })

  it('refuses what are no pixels', () => {
    const code = (given: Parameters<typeof upright>[0]) => {
      try {
        upright(given, 9)
      } catch (error) {
        return error instanceof ModelError ? error.code : error
      }
    }
    expect(code({ data: new Uint8Array(5), width: 1, height: 1 })).toBe('picture_unreadable')
    expect(code({ data: new Uint8Array(0), width: 0, height: 1 })).toBe('picture_unreadable')
    expect(code({ data: new Uint8Array(0), width: 20_000, height: 20_000 })).toBe('picture_too_large')
  })
})
