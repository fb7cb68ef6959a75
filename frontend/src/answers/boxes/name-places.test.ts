import { expect, it } from 'vitest'

import { namePlaces } from './name-places'

const box = (x: number, y: number, label = 'dog 90%') => ({ x, y, label })

it('stands above its box, and within the picture', () => {
  expect(namePlaces([box(10, 100), box(200, 0)], 9)).toEqual([97, 9])
})

it('goes below the names that it would lie on', () => {
  expect(namePlaces([box(10, 100), box(10, 100, 'cat 40%'), box(12, 103, 'fox 20%')], 9)).toEqual([97, 106, 115])
})

it('stays where the other name ends before it', () => {
  expect(namePlaces([box(10, 100, 'a'), box(40, 100)], 9)).toEqual([97, 97])
  expect(namePlaces([box(10, 100, '手写数字'), box(40, 100)], 9)).toEqual([97, 106])
})
