import { expect, it } from 'vitest'

import { beginning, previewQuery, withOption } from './table-preview'

const file = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name)

it('sends the beginning of lines, and the whole of what cannot be read without its end', () => {
  expect(beginning(file('a.csv', 300_000))).toMatchObject({ part: { size: 262_144 }, isWhole: false })
  expect(beginning(file('a.csv', 30))).toMatchObject({ part: { size: 30 }, isWhole: true })
  expect(beginning(file('a.xlsx', 300_000))).toMatchObject({ part: { size: 300_000 }, isWhole: true })
  expect(beginning(file('a.xlsx', 17 * 2 ** 20))).toBeNull()
})

it('says nothing of what is guessed', () => {
  const chosen = withOption({ columns: { text: 2, label: null }, encoding: 'big5' }, 'has_head', false)
  expect([...previewQuery('a b.csv', true, chosen)]).toEqual([
    ['name', 'a b.csv'],
    ['is_whole', 'true'],
    ['encoding', 'big5'],
    ['has_head', 'false'],
    ['text', '2'],
  ])
  expect(withOption(chosen, 'separator', '')).toEqual({ encoding: 'big5', has_head: false, separator: '' })
  expect(withOption({ sheet: 'May' }, 'sheet', null)).toEqual({})
})
