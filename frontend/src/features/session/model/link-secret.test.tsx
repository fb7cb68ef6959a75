import { expect, test } from 'vitest'

import { forgetInvitation, keepInvitation, storedInvitation, secretOf } from './link-secret'

test('a secret is read from behind the hash, escaped or not', () => {
  expect(secretOf('#MQ%3A1xV%3A53')).toBe('MQ:1xV:53')
  expect(secretOf('#usr_1-abc')).toBe('usr_1-abc')
  expect(secretOf('')).toBe('')
  expect(secretOf('#%')).toBe('')
})

test('an invitation is kept for the tab until it is used', () => {
  keepInvitation('s')
  expect(storedInvitation()).toBe('s')
  forgetInvitation()
  expect(storedInvitation()).toBe('')
})
