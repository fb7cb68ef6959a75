// @vitest-environment jsdom
import { expect, it } from 'vitest'

import { lookingOf } from './looking'

type Args = Parameters<typeof lookingOf>
const table = (target: string | null, state?: string) => ({ target, job: state ? { state } : null }) as Args[0]
const profile = (association: number | null, is_stale: boolean, state = 'succeeded') =>
  ({ profile: { columns: [{ target_association: association }] }, is_stale, job: { state } }) as unknown as Args[1]
const none = (state?: string) => ({ profile: null, is_stale: false, job: state ? { state } : null }) as unknown as Args[1]

it('looks once nobody has, and not again by itself after it failed', () => {
  expect([
    lookingOf(table(null), none(), false),
    lookingOf(table(null), none('failed'), false),
    lookingOf(table(null), undefined, false),
  ]).toEqual(['now', 'no', 'no'])
})

it('looks again when there is a target at last, as soon as the rows are labelled', () => {
  expect(lookingOf(table('left', 'running'), profile(null, true), false)).toBe('later')
  expect(lookingOf(table('left', 'succeeded'), profile(null, true), false)).toBe('now')
  expect(lookingOf(table('left'), profile(null, true, 'running'), false)).toBe('no')
})

it('looks again for another target that was chosen here, and leaves other changes to people', () => {
  expect(lookingOf(table('left'), profile(0.4, true), true)).toBe('now')
  expect(lookingOf(table('left'), profile(0.4, true), false)).toBe('no')
  expect(lookingOf(table('left'), profile(0.4, false), true)).toBe('no')
})
