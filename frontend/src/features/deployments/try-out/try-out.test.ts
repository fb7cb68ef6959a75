import { expect, it } from 'vitest'

import document from '../../../../openapi.json'

it('has a file for each form that a task may name, and none besides', () => {
  const files = Object.keys(import.meta.glob('./*.tsx')).map((path) => path.slice('./'.length, -'.tsx'.length))
  expect(files.sort()).toEqual([...document.components.schemas.TaskUI.properties.tryout_form.enum].sort())
})
