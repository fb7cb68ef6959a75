import { expect, it } from 'vitest'

import canvasScope from '../lib/shortcuts/scopes/canvas'
import { ACTIONS } from './actions'
import { TOOLS } from './shapes'

it('has every action in the shortcut map, and every entry there does something', () => {
  const mapped = canvasScope.actions.map(({ id }) => id).filter((id) => id !== 'help')
  expect(Object.keys(ACTIONS).sort()).toEqual(mapped.sort())
})

it('gives no key to two actions', () => {
  const keys = canvasScope.actions.flatMap((action) => action.keys)
  expect(new Set(keys).size).toBe(keys.length)
})

it('finds every tool by listing the folders', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual([
    'select',
    'pan',
    'box',
    'rotated_box',
    'quad',
    'polygon',
    'polyline',
    'point',
    'keypoints',
    'mask',
    'eraser',
    'fill',
    'click_mask',
    'wand',
    'superpixels',
  ])
})
