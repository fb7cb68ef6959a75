import { describe, expect, it } from 'vitest'

import type { Campaign } from '../api/campaigns'
import { campaignBody, campaignProblems, NEW_CAMPAIGN } from './campaign-form'
import { agreementWord, progressOf } from './progress'

const campaign = {
  state: 'open',
  num_items: 10,
  by_outcome: { open: 3, agreed: 4, disputed: 2, settled: 1 },
  deadline_at: '2026-01-02T00:00:00Z',
} as unknown as Campaign

describe('campaign form', () => {
  it('asks for a title and enough people', () => {
    expect(Object.keys(campaignProblems(NEW_CAMPAIGN))).toEqual(['title', 'people'])
    const form = { ...NEW_CAMPAIGN, title: 'Spring', people: ['usr_1'], opinions_per_item: 2 }
    expect(campaignProblems(form)).toEqual({ people: 'wrong.more_people' })
    expect(campaignProblems({ ...form, opinions_per_item: 1 })).toEqual({})
  })

  it('ends on the evening of the chosen day', () => {
    const body = campaignBody('prj_1', { ...NEW_CAMPAIGN, title: ' Spring ', deadline: '2026-03-01' })
    expect(body.title).toBe('Spring')
    expect(new Date(body.deadline_at ?? '').toLocaleTimeString('en-GB')).toBe('23:59:59')
  })
})

describe('progress', () => {
  it('counts what is decided', () => {
    expect(progressOf(campaign, Date.parse('2026-01-01T00:00:00Z'))).toMatchObject({
      done: 5,
      disputed: 2,
      fraction: 0.5,
      isOverdue: false,
    })
    expect(progressOf(campaign, Date.parse('2026-01-03T00:00:00Z')).isOverdue).toBe(true)
    expect(progressOf({ ...campaign, state: 'closed' }, Date.parse('2026-01-03T00:00:00Z')).isOverdue).toBe(false)
  })

  it('has words for agreement', () => {
    expect([-0.1, 0.1, 0.3, 0.5, 0.7, 0.9].map(agreementWord)).toEqual(['poor', 'slight', 'fair', 'moderate', 'substantial', 'perfect'])
  })
})
