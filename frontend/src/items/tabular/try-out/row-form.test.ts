import { describe, expect, it } from 'vitest'

import { cellOf, cellsOf, changedColumns, type FieldLike, isUnreadable, pickerOf, sentRow, sliderOf, unitBeside } from './row-form'

const field = (changes: Partial<FieldLike> = {}): FieldLike => ({
  name: 'age',
  kind: 'number',
  decimal: '.',
  units: [],
  datetime_format: '',
  choices: [],
  typical: '40',
  minimum: 0,
  maximum: 80,
  ...changes,
})

it('begins with a row of the data, or with what is typical', () => {
  const fields = [field(), field({ name: 'city', kind: 'category', typical: 'Ulm' })]
  expect(cellsOf(fields, { age: '7', other: 'x' })).toEqual({ age: '7', city: '' })
  expect(cellsOf(fields, undefined)).toEqual({ age: '40', city: 'Ulm' })
})

it('leaves out what is empty and knows what was changed', () => {
  expect(sentRow({ age: '7', city: ' ' })).toEqual({ age: '7' })
  expect(changedColumns({ age: '7', city: 'Ulm' }, { age: '7', city: '' })).toEqual(['city'])
})

describe('sliderOf', () => {
  it('walks the range that is known in round steps', () => {
    expect(sliderOf(field(), '12')).toEqual({ min: 0, max: 80, step: 1 })
    expect(sliderOf(field({ minimum: 0, maximum: 0.5 }), '')?.step).toBeCloseTo(0.001)
    expect(sliderOf(field({ minimum: 0, maximum: 250_000 }), '')?.step).toBe(1000)
  })

  it('reaches as far as the cell that stands there', () => {
    expect(sliderOf(field(), '95')).toMatchObject({ min: 0, max: 95 })
    expect(sliderOf(field({ decimal: ',' }), '-3,5')).toMatchObject({ min: -3.5 })
  })

  it('is none where there is no range', () => {
    expect(sliderOf(field({ minimum: null }), '1')).toBeNull()
    expect(sliderOf(field({ maximum: 0 }), '1')).toBeNull()
    expect(sliderOf(field({ kind: 'category' }), '1')).toBeNull()
  })
})

it('writes numbers as the column does', () => {
  expect(cellOf(1.5, { decimal: ',' })).toBe('1,5')
  expect(cellOf(0.1 + 0.2, { decimal: '.' })).toBe('0.3')
})

it('distinguishes what cannot be read from what is missing', () => {
  expect(isUnreadable(field(), 'abc')).toBe(true)
  expect([isUnreadable(field(), ''), isUnreadable(field(), 'NA'), isUnreadable(field(), '$12')]).toEqual([false, false, false])
  expect(isUnreadable(field({ kind: 'category' }), 'abc')).toBe(false)
})

it('picks dates where cells are written as the browser writes them', () => {
  expect(pickerOf({ datetime_format: '' }, ['2020-01-02', ''])).toBe('date')
  expect(pickerOf({ datetime_format: 'iso' }, ['2020-01-02T10:30'])).toBe('datetime-local')
  expect(pickerOf({ datetime_format: '%d.%m.%Y' }, ['02.01.2020'])).toBe('text')
  expect(pickerOf({ datetime_format: '' }, [])).toBe('text')
})

it('shows a unit beside cells that do not write it themselves', () => {
  const kilograms = field({ units: ['kg', 'kgs'] })
  expect(unitBeside(kilograms, '-4.5')).toBe('kg')
  expect(unitBeside(kilograms, '')).toBe('kg')
  expect(unitBeside(kilograms, '4.5 kg')).toBeUndefined()
  expect(unitBeside(field({}), '4.5')).toBeUndefined()
  expect(isUnreadable(kilograms, '4.5 kg')).toBe(false)
  expect(isUnreadable(kilograms, '4.5 lb')).toBe(true)
})
