import { describe, expect, it } from 'vitest'

import { decoded, linesOf, separatorOf, tableStart } from './table-start'

const file = (name: string, text: string) => new File([text], name)

describe('tableStart', () => {
  it('shows the head and the first rows, whatever separates their cells', async () => {
    const rows = Array.from({ length: 9 }, (_, index) => `${index};"a;b";1,5`).join('\r\n')
    expect(await tableStart(file('x.csv', `\ufeffid;text;price\r\n${rows}`))).toEqual({
      columns: ['id', 'text', 'price'],
      rows: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => [String(index), 'a;b', '1,5']),
      separator: ';',
    })
    expect(await tableStart(file('x.tsv', 'a\tb\n1,2\t3'))).toEqual({ columns: ['a', 'b'], rows: [['1,2', '3']], separator: '\t' })
  })

  it('shows lines of JSON by their names', async () => {
    expect(await tableStart(file('x.jsonl', '{"text":"one"}\n{"text":"two","label":["a"]}\n{"te'))).toEqual({
      columns: ['text', 'label'],
      rows: [
        ['one', ''],
        ['two', '["a"]'],
      ],
      separator: null,
    })
  })

  it('shows nothing of what is no text', async () => {
    expect(await tableStart(file('x.parquet', 'PAR1'))).toBeNull()
    expect(await tableStart(file('x.csv', ''))).toBeNull()
  })
})

it('takes quotes, line ends in them and blank lines as spreadsheets write them', () => {
  expect(linesOf('a,b\n\n"x ""y""","one\ntwo"\n', ',')).toEqual([
    ['a', 'b'],
    ['x "y"', 'one\ntwo'],
  ])
  expect(separatorOf('"a,b,c"|d\n1,2,3')).toBe('|')
})

it('reads what Chinese spreadsheets write, and a character that is cut', () => {
  expect(decoded(new Uint8Array([0xc4, 0xea, 0xc1, 0xe4]))).toBe('年龄')
  expect(decoded(new TextEncoder().encode('年龄').slice(0, 4))).toBe('年')
  expect(decoded(new Uint8Array([0xff, 0xfe, 0x41, 0]))).toBe('A')
})
