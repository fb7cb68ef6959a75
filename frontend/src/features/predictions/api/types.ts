import type { Answer } from '../../../lib/api/answer'
import type { components } from '../../../lib/api/schema'

export type Run = Answer<'PredictionRunOut'>
export type Source = Run['source']
export type Result = Answer<'PredictionResultOut'>
export type RunRequest = components['schemas']['PredictionRunIn']
export type ItemFilter = components['schemas']['ItemFilter']
export type Artefact = Answer<'ArtefactOut'>
export type Version = Answer<'VersionOut'>
