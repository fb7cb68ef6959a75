/** How far a campaign is, and how good agreement is called. */
import type { Campaign } from '../api/campaigns'

export interface Progress {
  done: number
  total: number
  disputed: number
  /** 0..1 */
  fraction: number
  isOverdue: boolean
}

export function progressOf(campaign: Campaign, now: number): Progress {
  const done = (campaign.by_outcome.agreed ?? 0) + (campaign.by_outcome.settled ?? 0)
  const isLate = campaign.deadline_at !== null && new Date(campaign.deadline_at).getTime() < now
  return {
    done,
    total: campaign.num_items,
    disputed: campaign.by_outcome.disputed ?? 0,
    fraction: campaign.num_items ? done / campaign.num_items : 0,
    isOverdue: isLate && campaign.state === 'open' && done < campaign.num_items,
  }
}

/** Landis and Koch's words for kappa, 1977: a rough guide that everybody in the field knows. */
export function agreementWord(value: number): 'poor' | 'slight' | 'fair' | 'moderate' | 'substantial' | 'perfect' {
  if (value < 0) return 'poor'
  if (value <= 0.2) return 'slight'
  if (value <= 0.4) return 'fair'
  if (value <= 0.6) return 'moderate'
  return value <= 0.8 ? 'substantial' : 'perfect'
}
