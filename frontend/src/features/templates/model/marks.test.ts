import { describe, expect, it } from 'vitest'

import { fieldsCsv, type ReadForm, tableCsv, valueText } from '../../../ui/forms/form-values'
import { contentOf, faultOf, freeName, marksOf, NO_DETAILS } from './marks'

const points = (x: number, y: number) => [
  [x, y],
  [x + 40, y + 1],
  [x + 40, y + 11],
  [x, y + 10],
]
const saved = {
  lines: [
    { text: 'Invoice', points: points(0, 0), score: 0.9 },
    { text: '12.50', points: points(50, 0), score: 0.9 },
  ],
  references: [{ text: 'Invoice', points: points(0, 0) }],
  fields: [
    { name: 'total', kind: 'amount', is_required: true, box: { x: 50, y: 0, width: 60, height: 20 }, options: { currency: 'EUR' } },
    { name: 'paid', kind: 'choice', is_required: false, box: { x: 50, y: 30, width: 60, height: 20 }, options: { choices: ['yes', 'no'] } },
  ],
}

describe('marks', () => {
  it('come back as they were saved, and a line that is a reference is there once', () => {
    const { objects, details } = marksOf(saved as Parameters<typeof marksOf>[0])
    expect(objects.map(({ label }) => label)).toEqual(['line', 'reference', 'field', 'field'])
    const { references, fields } = saved
    expect(contentOf(objects, details)).toEqual({ references, fields })
  })

  it('of a table come back with their columns, which need names', () => {
    const columns = [
      { name: 'goods', kind: 'text', options: {} },
      { name: 'price', kind: 'amount', options: { currency: 'EUR' } },
    ]
    const box = { x: 0, y: 50, width: 90, height: 60 }
    const table = { name: 'lines', kind: 'table', is_required: true, box, options: { columns, has_header: false } }
    const { objects, details } = marksOf({ ...saved, fields: [table] } as unknown as Parameters<typeof marksOf>[0])
    const content = contentOf(objects, details)
    expect(content.fields).toEqual([table])
    expect(faultOf(content)).toBeNull()
    const nameless = { ...table, options: { columns: [columns[0], { ...columns[1], name: 'goods' }] } }
    expect(faultOf({ ...content, fields: [nameless] } as never)).toBe('columns')
  })

  it('change their role with their label: a line becomes a field with the box around it', () => {
    const { objects, details } = marksOf(saved as Parameters<typeof marksOf>[0])
    const lines = objects.slice(0, 1).map((each) => ({ ...each, label: 'field' }))
    const own = new Map(lines.map(({ id }) => [id, { ...NO_DETAILS, ...details.get(id), name: 'sum', isRequired: false }]))
    expect(contentOf(lines, own).fields).toEqual([
      { name: 'sum', kind: 'text', is_required: false, box: { x: 50, y: 0, width: 40, height: 11 }, options: {} },
    ])
  })

  it('say what stands in the way of saving', () => {
    const { references, fields } = saved
    const [total, paid] = fields as [(typeof fields)[0], (typeof fields)[0]]
    expect(faultOf({ references, fields } as never)).toBeNull()
    expect(faultOf({ references: [{ ...references[0], text: '' }], fields } as never)).toBe('text')
    expect(faultOf({ references, fields: [{ ...total, name: '' }] } as never)).toBe('name')
    expect(faultOf({ references, fields: [total, { ...paid, name: 'total' }] } as never)).toBe('twice')
    expect(faultOf({ references, fields: [{ ...paid, options: { choices: [] } }] } as never)).toBe('choices')
    expect(freeName('field', new Map([['a', { ...NO_DETAILS, name: 'field' }]]))).toBe('field_2')
  })
})

describe('what was read', () => {
  it('is written as a table that no spreadsheet takes for formulas', () => {
    const common = { kind: 'text', confidence: 0.5, points: [], lines: [] }
    const form = {
      fields: [
        { ...common, name: 'note', value: 'a "b",\nc', text: '=1+1', problems: [] },
        { ...common, name: 'total', value: { amount: '-3.00', currency: 'EUR' }, text: '-3', problems: [{ code: 'missing' }] },
      ],
    } as unknown as ReadForm
    expect(fieldsCsv(form)).toBe(
      'name,value,text,confidence,problems\r\nnote,"a ""b"",\nc",\'=1+1,0.5,\r\ntotal,-3.00 EUR,-3,0.5,missing\r\n',
    )
    const rows = [
      { goods: 'Nut, M8', price: { amount: '1.20', currency: null } },
      { goods: null, price: null },
    ]
    expect(tableCsv(rows)).toBe('goods,price\r\n"Nut, M8",1.20\r\n,\r\n')
    expect([valueText(null), valueText(0), valueText({ amount: '1', currency: null })]).toEqual(['', '0', '1'])
  })
})
