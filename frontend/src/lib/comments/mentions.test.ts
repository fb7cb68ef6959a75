import { expect, test } from 'vitest'

import { fitting, mentionParts, typedMention } from './mentions'

test('a mention is typed from an @ that begins a word up to the caret', () => {
  expect(typedMention('ask @To', 7)).toEqual({ start: 4, query: 'To' })
  expect(typedMention('请@李', 3)).toEqual({ start: 1, query: '李' })
  expect(typedMention('a@b', 3)).toBeNull()
  expect(typedMention('@Tom\nnext', 9)).toBeNull()
  expect(typedMention('nobody', 6)).toBeNull()
})

test('names that begin as typed come first', () => {
  const people = ['Ada Reed', 'Tom', 'Reeta'].map((name) => ({ name }))
  expect(fitting(people, 're').map(({ name }) => name)).toEqual(['Reeta', 'Ada Reed'])
})

test('a text is cut where somebody is mentioned, the longest name first', () => {
  expect(mentionParts('@tom reed, ask @Ada', ['Tom', 'Tom Reed', 'Ada'])).toEqual([
    { text: '@tom reed', isMention: true },
    { text: ', ask ', isMention: false },
    { text: '@Ada', isMention: true },
  ])
  expect(mentionParts('a@b', [])).toEqual([{ text: 'a@b', isMention: false }])
})
