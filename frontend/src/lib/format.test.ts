// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'

import { formatPercent, formatSeconds } from './format'

afterEach(() => (document.documentElement.lang = ''))

describe('formatSeconds', () => {
  it('names two units at most, in the language of the page', () => {
    expect([0, 59.6, 65, 120, 7500].map(formatSeconds)).toEqual(['0 sec', '1 min', '1 min 5 sec', '2 min', '2 hr 5 min'])
    document.documentElement.lang = 'zh-CN'
    expect([12, 65, 7500].map(formatSeconds)).toEqual(['12 秒', '1 分钟 5 秒', '2 小时 5 分钟'])
  })
})

describe('formatPercent', () => {
  it('has one place after the point, and none where nothing stands there', () => {
    expect([0, 0.042, 0.5, 0.9996, 1].map(formatPercent)).toEqual(['0%', '4.2%', '50.0%', '100%', '100%'])
  })
})
