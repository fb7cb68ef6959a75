import { expect, it } from 'vitest'

import { segments } from './segments'

const part = (key: string, count: number) => ({ key, title: key, count, color: '#000000' })

it('lays parts end to end and leaves empty ones out', () => {
  const laid = segments([part('train', 6), part('validation', 0), part('test', 2)])
  expect(laid.map(({ key, share_fraction, start_fraction }) => [key, share_fraction, start_fraction])).toEqual([
    ['train', 0.75, 0],
    ['test', 0.25, 0.75],
  ])
})

it('has nothing to lay where all is empty', () => {
  expect(segments([part('train', 0)])).toEqual([])
})
