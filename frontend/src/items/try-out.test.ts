// @vitest-environment jsdom
import { expect, it } from 'vitest'

import document from '../../openapi.json'
import { type FormName, TRY_OUT_FORMS, tryOutForm } from './try-out'

it('has a form for each name that a task may give, and none besides', () => {
  const names = TRY_OUT_FORMS.map(({ name }) => name)
  expect(names.sort()).toEqual([...document.components.schemas.TaskUI.properties.tryout_form.enum].sort())
})

it('names a form that there is none of', () => {
  expect(() => tryOutForm('smell' as string as FormName)).toThrow('no form smell; known: ')
})
