import { expect, it } from 'vitest'

import { ofLabels } from '../../../answers/annotations'
import { type AnnotationChange, EMPTY, pushed, redone, undone } from './history'

const cat: AnnotationChange = { item: 'a', before: null, after: ofLabels(['cat']) }
const dog: AnnotationChange = { item: 'b', before: ofLabels(['cat']), after: ofLabels(['dog']) }

it('undoes the last change first and redoes in the order of doing', () => {
  const both = pushed(pushed(EMPTY, cat), dog)
  const one = undone(both)
  expect(one).toMatchObject({ item: 'b', annotations: dog.before })
  const none = undone(one?.history ?? EMPTY)
  expect(none).toMatchObject({ item: 'a', annotations: null })
  expect(undone(none?.history ?? both)).toBeNull()
  const again = redone(none?.history ?? EMPTY)
  expect(again).toMatchObject({ item: 'a', annotations: cat.after })
  expect(redone(again?.history ?? EMPTY)).toMatchObject({ item: 'b', annotations: dog.after })
})

it('a new change ends what could be redone', () => {
  const back = undone(pushed(EMPTY, cat))
  expect(redone(pushed(back?.history ?? EMPTY, dog))).toBeNull()
})
