import { expect, it } from 'vitest'

import { ApiError } from './api/errors'
import { isShownByFields } from './field-errors'

const refused = (...names: string[]) =>
  new ApiError(422, 'invalid_input', 'Not valid', '', '', Object.fromEntries(names.map((name) => [name, ['wrong']])))

it('knows whether the fields that a form draws show all that was refused', () => {
  const drawn = ['name', 'slug']
  expect(isShownByFields(refused('name'), drawn)).toBe(true)
  expect(isShownByFields(refused('name', 'task_options'), drawn)).toBe(false)
  expect(isShownByFields(refused(), drawn)).toBe(false)
  expect(isShownByFields(new Error('no line'), drawn)).toBe(false)
})
