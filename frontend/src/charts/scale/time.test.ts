import { expect, it } from 'vitest'

import { timeScale } from './time'

const at = (text: string) => Date.parse(text) / 1000
const ticks = (from: string, to: string, count: number) => {
  const scale = timeScale([at(from), at(to)], [0, 100], count, 'en')
  return scale.ticks.map(scale.formatTick)
}

it('stands at full years, months and days', () => {
  expect(ticks('2010-03-05', '2019-11-20', 5)).toEqual(['2012', '2014', '2016', '2018'])
  expect(ticks('2020-01-15', '2020-12-20', 5)).toEqual(['Apr 2020', 'Jul 2020', 'Oct 2020'])
  expect(ticks('1500-01-01', '2020-01-01', 5)).toEqual(['1600', '1800', '2000'])
})

it('stands at full hours and minutes, and names the day where it changes', () => {
  expect(ticks('2020-01-01T20:10:00Z', '2020-01-02T05:00:00Z', 4)).toEqual(['21:00', 'Jan 2', '03:00'])
  expect(ticks('2020-01-01T10:00:10Z', '2020-01-01T10:02:00Z', 4)).toEqual(['10:00:30', '10:01:00', '10:01:30', '10:02:00'])
})

it('begins days anew with each month, none beside the first', () => {
  expect(ticks('2021-01-10', '2021-03-05', 6)).toEqual(['Jan 11', 'Jan 21', 'Feb 1', 'Feb 11', 'Feb 21', 'Mar 1'])
})

it('has one tick where there is no span', () => {
  expect(timeScale([5, 5], [0, 100], 4, 'en').ticks).toEqual([5])
})
