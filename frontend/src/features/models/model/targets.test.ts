import { expect, it } from 'vitest'

import { changedOptions, defaultOptions, deviceTimes, targetChoices, targetGroups } from './targets'

const target = (name: string, accepts: string[], reads = ['image', 'text']) => ({
  name,
  group: 'library' as 'library' | 'server',
  accepts,
  reads,
  pipelines: [] as string[],
  missing: null as object | null,
  options: [
    { kind: 'int', name: 'port', default: 8080 },
    { kind: 'text', name: 'name', default: 'model' },
  ],
})

const model = { output: 'class_scores', decode: { kind: 'text' } }

it('puts targets first that take the output and can be built, and keeps the others in sight', () => {
  const lacking = { ...target('c', ['class_scores']), missing: { names: ['converter'] } }
  const choices = targetChoices([target('a', ['boxes']), lacking, target('b', ['class_scores'])], model)
  expect(choices.map(({ target: { name }, isPossible, isSuited }) => [name, isPossible, isSuited])).toEqual([
    ['b', true, true],
    ['c', false, true],
    ['a', false, false],
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
  expect(defaultOptions(target('a', []))).toEqual({ port: 8080, name: 'model' })
})

it('tells the newest time of a device, with the fastest backend of the target', () => {
  const measured = [
    { device: 'gate', backend: 'onnxruntime_cpu', p50_ms: 12 },
    { device: 'gate', backend: 'openvino_f32', p50_ms: 8 },
    { device: 'gate', backend: 'openvino_f32', p50_ms: 3 },
    { device: 'desk', backend: 'onnxruntime_cuda', p50_ms: 1 },
    ...[1, 2, 3].map((number) => ({ device: `dock ${number}`, backend: 'onnxruntime_cpu', p50_ms: number })),
  ]
  expect(deviceTimes({ backends: ['onnxruntime_cpu', 'openvino_f32'] }, measured)).toEqual([
    { device: 'gate', ms: 8 },
    { device: 'dock 1', ms: 1 },
    { device: 'dock 2', ms: 2 },
  ])
  expect(deviceTimes({ backends: [] }, measured)).toEqual([])
})

it('asks anew for options that change what is built', () => {
  expect(changedOptions(target('a', []), { port: 8080, name: 'pets' })).toEqual({})
  expect(changedOptions(target('a', []), { port: 9000 })).toEqual({ port: 9000 })
})
