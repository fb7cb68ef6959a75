import { describe, expect, it } from 'vitest'

import { newTask, openTransfers, summaryOf, type TransferState } from './transfer'

const task = (id: number, state: TransferState) => ({
  ...newTask(id, [{ path: `${id}.zip`, file: new File(['ten bytes.'], `${id}.zip`) }], 'archive', 'none', state),
  sent_bytes: 4,
})

describe('summaryOf', () => {
  it('counts all but what was cancelled', () => {
    const summary = summaryOf([task(1, 'sending'), task(2, 'cancelled'), task(3, 'paused')], 2, 0)
    expect(summary).toMatchObject({ size_bytes: 20, sent_bytes: 8, num_files: 2, is_active: true, is_paused: true, remaining_s: 6 })
    expect(summary.transfers).toHaveLength(3)
  })

  it('does not guess an end while nothing moves', () => {
    expect(summaryOf([task(1, 'paused')], 2, 0)).toMatchObject({ is_active: false, remaining_s: null })
  })
})

describe('openTransfers', () => {
  it('puts those first that need attention and leaves out what is done', () => {
    const all = [task(1, 'done'), task(2, 'waiting'), task(3, 'sending'), task(4, 'cancelled'), task(5, 'failed'), task(6, 'waiting')]
    expect(openTransfers(all).map(({ id }) => id)).toEqual([5, 3, 2, 6, 4])
  })
})
