// @vitest-environment jsdom
import '../../../test-setup'

import { expect, it, vi } from 'vitest'

import { pointsOf } from './points'
import { View, type ViewInput, type ViewOutput } from './view'

const ACTIONS: Record<string, string> = { l: 'walk_right', Enter: 'similar', x: 'select', f: 'fit' }

function open(active: number) {
  const canvas = document.createElement('canvas')
  const data = { items: ['one', 'two'], x: [0.2, 0.8], y: [0.5, 0.5] }
  const input = {
    items: data.items,
    points: pointsOf(data),
    classes: [0, 0],
    colors: ['#000'],
    isHidden: [false],
    selected: new Set(),
    active,
  }
  const output: ViewOutput = {
    onHover: vi.fn(),
    onActive: vi.fn(),
    onOpen: vi.fn(),
    onSelect: vi.fn(),
    actionOf: ({ key }) => (ACTIONS[key] ? { id: ACTIONS[key] } : undefined),
  }
  const view = new View(
    canvas,
    { ...input, tool: 'move', ink: '#000', ground: '#fff', hasThumbnails: false } as unknown as ViewInput,
    output,
  )
  const press = (key: string, repeat = false) => canvas.dispatchEvent(new KeyboardEvent('keydown', { key, repeat, cancelable: true }))
  return { view, output, press }
}

it('does what the keys of the person stand for, wherever they are', () => {
  const { view, output, press } = open(0)
  expect(press('l')).toBe(false) // taken
  expect(output.onActive).toHaveBeenCalledWith(1)
  press('Enter')
  press('Enter', true)
  expect(vi.mocked(output.onOpen).mock.calls).toEqual([[0]])
  press('x')
  expect(output.onSelect).toHaveBeenCalledWith([0], true)
  view.stop()
})

it('leaves to the page what needs no place on the map, and keys without a meaning', () => {
  const { view, output, press } = open(-1)
  expect([press('f'), press('z'), press('Enter')]).toEqual([true, true, true])
  expect(output.onOpen).not.toHaveBeenCalled()
  view.stop()
})
