import { describe, expect, it } from 'vitest'

import { wayOf } from './incoming'
import { tableOf, textsOfLines } from './pasted-texts'

describe('pasted texts', () => {
  it('are the lines, without blank ones and without the blanks around them', () => {
    expect(textsOfLines('one, two\r\n\n  房间很干净  \n\t\n')).toEqual([{ text: 'one, two' }, { text: '房间很干净' }])
  })

  it('carry labels where two columns of a sheet were copied', () => {
    expect(textsOfLines('clean room\tgood\nnoisy\tbad\nno label\t\n\tlonely')).toEqual([
      { text: 'clean room', label: 'good' },
      { text: 'noisy', label: 'bad' },
      { text: 'no label' },
    ])
  })

  it('keep a tab that is only part of a text', () => {
    expect(textsOfLines('a\tb\nplain\nplain too')).toEqual([{ text: 'a\tb' }, { text: 'plain' }, { text: 'plain too' }])
  })

  it('travel as a table whatever is in them', async () => {
    const texts = [{ text: 'say "hi", then\\go' }, { text: '好', label: '正面' }]
    const file = tableOf(texts, new Date('2026-02-03T04:05:06Z'))
    expect(file.name).toBe('pasted-2026-02-03-04-05-06.jsonl')
    expect(wayOf({ file, path: file.name })).toBe('labels_csv')
    const lines = (await file.text()).trim().split('\n')
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(texts)
  })
})
