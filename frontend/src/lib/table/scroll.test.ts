import { describe, expect, it } from 'vitest'

import { MAX_PX, pageFor, pageHeight, scrolled, TOP } from './scroll'

const long = { list_px: 40_000_000, view_px: 900 }
const short = { list_px: 5000, view_px: 900 }

describe('scroll', () => {
  it('leaves a list alone that the browser can draw', () => {
    expect(pageHeight(5000)).toBe(5000)
    expect(scrolled(TOP, 1234, short)).toEqual({ page_px: 1234, list_px: 1234 })
    expect(pageFor(TOP, 4000, short)).toEqual({ page_px: 4000, list_px: 4000 })
  })

  it('moves a long list by as much as the wheel does', () => {
    const middle = scrolled(TOP, 4_000_000, long)
    expect(scrolled(middle, 4_000_120, long).list_px - middle.list_px).toBe(120)
    expect(scrolled(scrolled(middle, 4_000_120, long), 4_000_000, long)).toEqual(middle)
  })

  it('goes to the same fraction of the list when the bar is dragged', () => {
    const found = scrolled(TOP, (MAX_PX - 900) / 2, long)
    expect(found.list_px).toBeCloseTo((long.list_px - 900) / 2)
  })

  it('reaches both ends exactly', () => {
    const middle = scrolled(TOP, 4_000_000, long)
    expect(scrolled(middle, MAX_PX - 900, long).list_px).toBe(long.list_px - 900)
    expect(scrolled(middle, 0, long).list_px).toBe(0)
  })

  it('finds the page for a place near by and far away', () => {
    const middle = scrolled(TOP, 4_000_000, long)
    const near = pageFor(middle, middle.list_px + 500, long)
    expect(near).toEqual({ page_px: 4_000_500, list_px: middle.list_px + 500 })
    const far = pageFor(middle, 39_000_000, long)
    expect(scrolled(middle, far.page_px, long).list_px).toBeCloseTo(39_000_000, 0)
  })
})
