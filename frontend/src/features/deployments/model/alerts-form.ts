import type { AlertSettings } from '../api/types'

interface Choice {
  condition: string
  is_on: boolean
  limit: number | null
}

/** What people choose; it is sent as it is. */
export interface AlertsRequest {
  webhook_url: string
  emails: string[]
  conditions: Choice[]
}

/** The form of what is saved. Addresses are left out where the platform sends no mail any more. */
export function formOf({ webhook_url, emails, has_mail, conditions }: AlertSettings): AlertsRequest {
  return {
    webhook_url,
    emails: has_mail ? emails : [],
    conditions: conditions.map(({ condition, is_on, limit }) => ({ condition, is_on, limit: limit?.value ?? null })),
  }
}

/** The form with another choice of one condition. */
export function chosen(form: AlertsRequest, condition: string, changes: Partial<Choice>): AlertsRequest {
  return { ...form, conditions: form.conditions.map((each) => (each.condition === condition ? { ...each, ...changes } : each)) }
}
