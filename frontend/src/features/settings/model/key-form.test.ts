import { expect, test } from 'vitest'

import { type KeyForm, keyBody } from './key-form'

const FORM: KeyForm = { name: ' shop ', scope: 'predict', role: 'engineer', project: 'prj_1', deployment: 'dep_1', days: '30' }

test('a key for calls carries no role to speak of and nothing that was chosen for another scope', () => {
  expect(keyBody(FORM, 0)).toEqual({
    name: 'shop',
    role: 'viewer',
    predict_only: true,
    project: null,
    deployment: null,
    expires_at: '1970-01-31T00:00:00.000Z',
  })
})

test('each scope names its own', () => {
  expect(keyBody({ ...FORM, scope: 'deployment' }, 0)).toMatchObject({ predict_only: true, project: null, deployment: 'dep_1' })
  expect(keyBody({ ...FORM, scope: 'project' }, 0)).toMatchObject({
    role: 'engineer',
    predict_only: false,
    project: 'prj_1',
    deployment: null,
  })
  expect(keyBody({ ...FORM, scope: 'workspace', days: 'never' }, 0)).toMatchObject({ role: 'engineer', project: null, expires_at: null })
})
