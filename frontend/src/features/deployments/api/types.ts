import type { Answer } from '../../../lib/api/answer'

export type Deployment = Answer<'DeploymentOut'>
export type KeepInputs = Deployment['keep_inputs']
export type Call = Answer<'PredictionLogOut'>
export type Prediction = Answer<'PredictOut'>
export type Comparison = Answer<'ComparisonOut'>
export type Compared = Answer<'ComparedModelOut'>
export type Rollout = Answer<'RolloutOut'>
export type Artefact = Answer<'ArtefactOut'>
export type Timeline = Answer<'TimelineOut'>
export type Period = Answer<'TimelinePeriodOut'>
export type Drift = Answer<'DriftOut'>
export type ModelDrift = Answer<'ModelDriftOut'>
export type InputDrift = Answer<'InputDriftOut'>
export type ModelInputs = Answer<'ModelInputsOut'>
export type InputFact = Answer<'InputFactOut'>
export type AlertState = Answer<'AlertStateOut'>
export type DeploymentAlert = Answer<'AlertOut'>
export type AlertDelivery = Answer<'AlertDeliveryOut'>
export type AlertSettings = Answer<'AlertSettingsOut'>
export type AlertTested = Answer<'AlertTestedOut'>
