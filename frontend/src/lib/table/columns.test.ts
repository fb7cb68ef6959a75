// @vitest-environment jsdom
import { expect, it } from 'vitest'

import { besidesTarget, type Column, inOrder, isLabelling } from './columns'

const column = (name: string, role: Column['role']): Column => ({
  name,
  kind: 'number',
  role,
  decimal: '.',
  units: [],
  datetime_format: '',
})
const columns = [column('id', 'ignored'), column('age', 'feature'), column('bought', 'target'), column('city', 'feature')]

it('shows the target first and what is ignored last', () => {
  expect(inOrder(columns).map(({ name }) => name)).toEqual(['bought', 'age', 'city', 'id'])
  expect(besidesTarget(columns).map(({ name }) => name)).toEqual(['age', 'city', 'id'])
  expect(columns.map(({ name }) => name)).toEqual(['id', 'age', 'bought', 'city'])
})

it('knows a labelling that runs from one that is over', () => {
  const job = (state: string) => ({ job: { state } }) as Parameters<typeof isLabelling>[0]
  expect([isLabelling(job('running')), isLabelling(job('queued')), isLabelling(job('succeeded')), isLabelling(undefined)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
