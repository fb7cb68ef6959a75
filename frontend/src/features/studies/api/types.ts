import type { components } from '../../../lib/api/schema'

type Schemas = components['schemas']

export type Study = Schemas['StudyOut']
export type Trial = Schemas['TrialOut']
export type StudyPlan = Schemas['StudyPlanOut']
export type Family = Schemas['FamilySpec']
