import { expect, it } from 'vitest'

import { ApiError } from './api/errors'
import { isSaidByFields } from './field-errors'

const refused = (...names: string[]) =>
  new ApiError(422, 'invalid_input', 'Not valid', '', '', Object.fromEntries(names.map((name) => [name, ['wrong']])))

it('knows whether the fields that a form draws say all that was refused', () => {
  const drawn = ['name', 'slug']
  expect(isSaidByFields(refused('name'), drawn)).toBe(true)
  expect(isSaidByFields(refused('name', 'task_options'), drawn)).toBe(false)
  expect(isSaidByFields(refused(), drawn)).toBe(false)
  expect(isSaidByFields(new Error('no line'), drawn)).toBe(false)
})
