// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import document from '../../openapi.json'
import type { Task } from '../lib/api/types'
import { annotationText, answerKind, isDrawn } from '.'
import type { AnswerKind } from './kind'

const kinds = Object.entries(import.meta.glob<{ default: AnswerKind }>('./*/kind.tsx', { eager: true }))
const answered = (outputs: string[], unit: Task['metrics'][number]['unit'] = 'fraction') =>
  answerKind({ outputs } as unknown as Task, [{ unit }]).name

describe.each(kinds)('%s', (path, { default: kind }) => {
  it('is named as its folder is', () => {
    expect(path).toBe(`./${kind.name}/kind.tsx`)
  })

  it('is found by each of its answers', () => {
    expect(kind.outputs.map((output) => answered([output]))).toEqual(kind.outputs.map(() => kind.name))
  })
})

it('has one kind for each answer that a model may give, and none besides', () => {
  expect(kinds.flatMap(([, { default: kind }]) => kind.outputs).sort()).toEqual([...document.components.schemas.OutputKind.enum].sort())
})

it('finds by what is measured which of two answers a project has', () => {
  expect([answered(['class_scores', 'number']), answered(['class_scores', 'number'], 'target')]).toEqual(['scores', 'number'])
})

it('names the answer that there is no kind for, also beside one that it knows', () => {
  const known = kinds.flatMap(([, { default: kind }]) => kind.outputs)
  expect(() => answered(['class_scores', 'smell'])).toThrow(`no kind of answers smell; known: ${known.join(', ')}`)
  expect(() => answered([])).toThrow('a task without answers')
})

it('names an annotation, and nothing of what it does not know', () => {
  expect(annotationText({ kind: 'class', label: 'cat' })).toBe('cat')
  expect(annotationText({ kind: 'value', value: 1.5 })).toBe('1.5')
  expect(annotationText({ kind: 'polygon', label: 'cat' })).toBe('cat')
  expect(annotationText({ kind: 'keypoints', label: 'cat' })).toBeNull()
})

it('knows what lies on the picture', () => {
  const drawn = ['box', 'mask', 'polygon', 'class'].map((kind) => isDrawn([{ kind }]))
  expect([...drawn, isDrawn([])]).toEqual([true, true, true, false, false])
  expect(isDrawn([{ kind: 'class', heat_map: { score: 1, width: 1, height: 1, values: '/w==' } }])).toBe(true)
})
