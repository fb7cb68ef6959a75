import type { components } from '../../../lib/api/schema'

type Schemas = components['schemas']

export type Study = Schemas['StudyOut']
export type Trial = Schemas['TrialOut']
export type Cure = Schemas['CureOut']
export type FailedItem = Schemas['FailedItemOut']
/** The check of a training before it starts. */
export type Preflight = Schemas['PreflightOut']
export type CheckedTrial = Schemas['CheckedTrialOut']
export type CheckedStage = Schemas['CheckedStageOut']
/** The settings that a cure leaves. */
export type CuredSettings = Schemas['PreflightCuredOut']
export type StudyPlan = Schemas['StudyPlanOut']
export type Family = Schemas['FamilySpec']
export type FamilyParam = Family['params'][number]
/** What a goal means for a task: the settings that it fills in. */
export type GoalSpec = Schemas['GoalSpec']
export type Goal = GoalSpec['name']
