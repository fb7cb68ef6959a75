import { describe, expect, it } from 'vitest'

import { type DeploymentForm, deploymentProblems, toDeploymentRequest } from './deployment-form'

const form = (changes: Partial<DeploymentForm> = {}): DeploymentForm => ({
  artefact: 'art_1',
  name: ' Cats ',
  slug: 'cats',
  keep_inputs: 'uncertain',
  retention_days: 14,
  ...changes,
})

describe('toDeploymentRequest', () => {
  it('trims the name and lets the server choose an address that was left empty', () => {
    expect(toDeploymentRequest('prj_1', form({ slug: ' ' }))).toEqual({
      project: 'prj_1',
      artefact: 'art_1',
      name: 'Cats',
      slug: null,
      keep_inputs: 'uncertain',
      min_uncertainty: 0.5,
      retention_days: 14,
    })
  })
})

describe('deploymentProblems', () => {
  it('has none for a complete form, with or without an address', () => {
    expect(deploymentProblems(form())).toEqual({})
    expect(deploymentProblems(form({ slug: '' }))).toEqual({})
  })

  it('names what is missing and what no address may hold', () => {
    expect(Object.keys(deploymentProblems(form({ artefact: '', name: ' ', slug: 'Cats!' })))).toEqual(['artefact', 'name', 'slug'])
  })
})
