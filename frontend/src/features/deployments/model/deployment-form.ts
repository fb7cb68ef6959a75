/** The values of the create form and what they become on the wire. */

import { isSlug } from '../../../lib/slug'
import type { KeepInputs } from '../api/types'

export interface DeploymentForm {
  artefact: string
  name: string
  /** Empty lets the server make one of the name. */
  slug: string
  keep_inputs: KeepInputs
  retention_days: number
}

export interface DeploymentRequest {
  project: string
  artefact: string
  name: string
  slug: string | null
  keep_inputs: KeepInputs
  min_uncertainty: number
  retention_days: number
}

/** From which uncertainty `uncertain` keeps a picture: half way between sure and a guess. */
export const MIN_UNCERTAINTY = 0.5

export function toDeploymentRequest(project: string, form: DeploymentForm): DeploymentRequest {
  const slug = form.slug.trim()
  return {
    project,
    artefact: form.artefact,
    name: form.name.trim(),
    slug: slug || null,
    keep_inputs: form.keep_inputs,
    min_uncertainty: MIN_UNCERTAINTY,
    retention_days: form.retention_days,
  }
}

/** Fields that keep the form from being sent, each with the key of the text to show. */
export function deploymentProblems(form: DeploymentForm): Partial<Record<keyof DeploymentForm, string>> {
  return {
    ...(!form.artefact && { artefact: 'form.model_problem' }),
    ...(!form.name.trim() && { name: 'form.name_problem' }),
    ...(form.slug && !isSlug(form.slug) && { slug: 'form.slug_problem' }),
  }
}
