/** The values of the create form and what they become on the wire. */

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

/** An address made of a name: what is not a letter or digit becomes one hyphen. Empty where nothing is left, as with a Chinese name. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
}

/** Fields that keep the form from being sent, each with the key of the text to show. */
export function deploymentProblems(form: DeploymentForm): Partial<Record<keyof DeploymentForm, string>> {
  return {
    ...(!form.artefact && { artefact: 'form.model_problem' }),
    ...(!form.name.trim() && { name: 'form.name_problem' }),
    ...(form.slug && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(form.slug) && { slug: 'form.slug_problem' }),
  }
}
