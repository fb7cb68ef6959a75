import type { Answer } from '../../../lib/api/answer'
import type { components } from '../../../lib/api/schema'

export type Artefact = Answer<'ArtefactOut'>
export type Stage = Artefact['stage']
export type Report = Answer<'ReportOut'>
export type SplitReport = Answer<'SplitReportOut'>
export type { Box } from '../../../lib/api/types'
export type JudgedItem = Answer<'ReportItemOut'>
export type Pair = Answer<'PairReportOut'>
export type PairOutcome = 'fixed' | 'broken'
export type LineageNode = Answer<'LineageNodeOut'>
export type Target = Answer<'TargetOut'>
export type ExportEstimate = Answer<'ExportEstimateOut'>
export type Export = Answer<'ExportOut'>
export type MetricSpec = Answer<'MetricSpec'>

export const STAGES: readonly Stage[] = ['none', 'candidate', 'production', 'archived']
export type Manifest = Artefact['manifest']
export type TableReport = Answer<'TableReport'>
export type SliceReport = Answer<'SliceReport'>
export type Slice = Answer<'Slice'>
export type Robustness = NonNullable<Answer<'RobustnessOut'>['report']>
export type AlteredScore = Robustness['alterations'][number]['steps'][number]
export type Advice = NonNullable<Answer<'AdviceOut'>['report']>
export type SubjectAdvice = Advice['overall']
export type GainCurve = NonNullable<SubjectAdvice['objective']>
export type CoverageReport = Answer<'CoverageReport'>
export type LabelLimits = Answer<'LabelLimits'>
export type NumberReach = Answer<'NumberReach'>
export type CoverageScope = LabelLimits['scope']
export type RegressionFit = Answer<'RegressionFit'>
export type Compression = Answer<'CompressionOut'>
export type Compared = Answer<'ComparedOut'>
export type Budget = components['schemas']['Budget']
export type CompressionOrder = components['schemas']['BudgetIn']
