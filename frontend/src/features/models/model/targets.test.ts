import { expect, it } from 'vitest'

import { defaultOptions, targetChoices, targetGroups } from './targets'

const target = (name: string, accepts: string[], reads = ['image', 'text']) => ({
  name,
  group: 'library' as 'library' | 'server',
  accepts,
  reads,
  pipelines: [] as string[],
  options: [{ name: 'port', default: 8080 }],
})

const model = { output: 'class_scores', decode: { kind: 'text' } }

it('puts targets that take the output first and keeps the others in sight', () => {
  const choices = targetChoices([target('a', ['boxes']), target('b', ['class_scores'])], model)
  expect(choices.map((choice) => [choice.target.name, choice.isPossible])).toEqual([
    ['b', true],
    ['a', false],
  ])
})

it('offers no target that cannot ship models of such items', () => {
  expect(targetChoices([target('a', ['class_scores'], ['image'])], model)).toEqual([])
})

it('offers models that are read in tiles to those that can', () => {
  const tiled = { ...model, pipeline: 'tiles' }
  const choices = targetChoices([{ ...target('a', ['class_scores']), pipelines: ['tiles'] }, target('b', ['class_scores'])], tiled)
  expect(choices.map(({ isPossible }) => isPossible)).toEqual([true, false])
})

it('offers what serves before what is built into programs', () => {
  const choices = targetChoices([target('a', ['class_scores']), { ...target('b', ['class_scores']), group: 'server' }], model)
  expect(targetGroups(choices).map(({ group, choices: [first] }) => [group, first?.target.name])).toEqual([
    ['server', 'b'],
    ['library', 'a'],
  ])
})

it('starts every option at its default', () => {
  expect(defaultOptions(target('a', []))).toEqual({ port: 8080 })
})
