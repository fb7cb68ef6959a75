import { expect, it } from 'vitest'

import { defaultOptions, targetChoices } from './targets'

const target = (name: string, accepts: string[]) => ({ name, accepts, options: [{ name: 'port', default: 8080 }] })

it('puts targets that take the output first and keeps the others in sight', () => {
  const choices = targetChoices([target('a', ['boxes']), target('b', ['class_scores'])], 'class_scores')
  expect(choices.map((choice) => [choice.target.name, choice.isPossible])).toEqual([
    ['b', true],
    ['a', false],
  ])
})

it('starts every option at its default', () => {
  expect(defaultOptions(target('a', []))).toEqual({ port: 8080 })
})
