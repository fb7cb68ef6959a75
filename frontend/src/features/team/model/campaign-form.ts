/** The form of a new campaign: what a person types, and what is sent. */
import type { CampaignIn } from '../api/campaigns'

export interface CampaignForm {
  title: string
  instructions: string
  people: string[]
  max_items: number
  opinions_per_item: number
  num_gold: number
  merge: 'majority' | 'dawid_skene'
  deadline: string | null
}

export const NEW_CAMPAIGN: CampaignForm = {
  title: '',
  instructions: '',
  people: [],
  max_items: 1000,
  opinions_per_item: 1,
  num_gold: 0,
  merge: 'majority',
  deadline: null,
}

/** As many items as a new campaign shares out unless somebody says otherwise: all that are not labelled, up to a thousand. */
export function mostItems({ items, annotated }: { items: number; annotated: number }): number {
  return Math.min(NEW_CAMPAIGN.max_items, Math.max(1, items - annotated))
}

type Wrong = Partial<Record<keyof CampaignForm, string>>

/** Keys of the dictionary for what is wrong, by field. */
export function campaignProblems(form: CampaignForm): Wrong {
  const wrong: Wrong = {}
  if (!form.title.trim()) wrong.title = 'wrong.title'
  if (form.people.length === 0) wrong.people = 'wrong.people'
  else if (form.people.length < form.opinions_per_item) wrong.people = 'wrong.more_people'
  return wrong
}

/** What is sent: a deadline is the end of that day where the person is. */
export function campaignBody(project: string, form: CampaignForm): CampaignIn {
  const { deadline, ...rest } = form
  return {
    ...rest,
    project,
    gold_items: [],
    gold_fraction: 0.1,
    title: form.title.trim(),
    deadline_at: deadline ? new Date(`${deadline}T23:59:59`).toISOString() : null,
  }
}
