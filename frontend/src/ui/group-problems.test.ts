import { describe, expect, it } from 'vitest'

import type { Problem } from '../lib/api/types'
import { groupProblems } from './group-problems'

const problem = (code: string, item: string | null, field: string | null = null): Problem => ({
  code,
  item,
  field,
  severity: 'advisory',
  message: { en: code, zh: code },
  remedy: { en: '', zh: '' },
})

describe('groupProblems', () => {
  it('reports what hangs on items once, with how many more', () => {
    const groups = groupProblems([problem('tiny', 'a'), problem('tiny', 'b'), problem('tiny', 'c')])
    expect(groups).toHaveLength(1)
    expect(groups[0]).toMatchObject({ first: { item: 'a' }, numMore: 2 })
  })

  it('reports what hangs on labels label by label', () => {
    expect(groupProblems([problem('few', null, 'cat'), problem('few', null, 'dog')])).toHaveLength(2)
  })
})
