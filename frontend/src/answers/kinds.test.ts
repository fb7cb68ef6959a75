// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import type { Task } from '../lib/api/types'
import { annotationText, answerKind, isDrawn } from '.'
import type { AnswerKind } from './kind'

const kinds = Object.entries(import.meta.glob<{ default: AnswerKind }>('./*/kind.tsx', { eager: true }))
const answered = (annotations: string[], unit: Task['metrics'][number]['unit'] = 'fraction', outputs: string[] = []) =>
  answerKind({ annotation: { kinds: annotations }, outputs } as unknown as Task, [{ unit }]).name

describe.each(kinds)('%s', (path, { default: kind }) => {
  it('is named as its folder is', () => {
    expect(path).toBe(`./${kind.name}/kind.tsx`)
  })

  it('is found by the annotations of a task', () => {
    expect(answered([kind.annotation], kind.unit, kind.output ? [kind.output] : [])).toBe(kind.name)
  })
})

it('finds by what is measured which of two answers a project has', () => {
  expect([answered(['class', 'value']), answered(['class', 'value'], 'target')]).toEqual(['scores', 'number'])
})

it('names the annotations that no model here answers with', () => {
  const known = kinds.map(([, { default: kind }]) => kind.annotation)
  expect(() => answered(['smell'])).toThrow(`no kind of answers smell; known: ${known.join(', ')}`)
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
