import { expect, it } from 'vitest'

import type { Upload } from '../../../lib/api/types'
import { failedUpload } from './failed-uploads'

const REFUSED = {
  kind: 'batch',
  job: 'job_1',
  state: 'done',
  created_by: { id: 'user_ada' },
  num_items: 0,
  num_duplicates: 0,
  num_rejected: 1,
} as Upload

it('reports a source that gave nothing', () => {
  expect(failedUpload(REFUSED, 'user_ada')).toBe(REFUSED)
})

it('is silent about what came, runs, was sent, or is another’s', () => {
  const others: Partial<Upload>[] = [
    { num_items: 1 },
    { num_duplicates: 1 },
    { num_rejected: 0 },
    { state: 'ingesting' },
    { state: 'failed' },
    { job: null },
    { kind: 'archive' },
  ]
  for (const other of others) expect([other, failedUpload({ ...REFUSED, ...other }, 'user_ada')]).toEqual([other, null])
  expect(failedUpload(REFUSED, 'user_bob')).toBeNull()
  expect(failedUpload(undefined, undefined)).toBeNull()
})
