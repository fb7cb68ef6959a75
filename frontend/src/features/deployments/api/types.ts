import type { Answer } from '../../../lib/api/answer'

export type Deployment = Answer<'DeploymentOut'>
export type KeepInputs = Deployment['keep_inputs']
export type Call = Answer<'PredictionLogOut'>
export type Prediction = Answer<'PredictOut'>
export type Artefact = Answer<'ArtefactOut'>
