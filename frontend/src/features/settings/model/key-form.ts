import type { components } from '../../../lib/api/schema'
import type { Role } from '../../../lib/api/types'

export const SCOPES = ['predict', 'deployment', 'project', 'workspace'] as const
export const EXPIRIES = ['7', '30', '90', '365', 'never'] as const
const DAY_MS = 24 * 3600 * 1000

/** The form of a new key. */
export interface KeyForm {
  name: string
  scope: (typeof SCOPES)[number]
  role: Role
  project: string | null
  deployment: string | null
  /** Days until it ends. */
  days: (typeof EXPIRIES)[number]
}

/** The request for it; what does not belong to the scope is left out, whatever was chosen before. */
export function keyBody(form: KeyForm, nowMs: number): components['schemas']['KeyIn'] {
  const isPredicting = form.scope === 'predict' || form.scope === 'deployment'
  return {
    name: form.name.trim(),
    role: isPredicting ? 'viewer' : form.role,
    predict_only: isPredicting,
    project: form.scope === 'project' ? form.project : null,
    deployment: form.scope === 'deployment' ? form.deployment : null,
    expires_at: form.days === 'never' ? null : new Date(nowMs + Number(form.days) * DAY_MS).toISOString(),
  }
}
