/** What each kind of answers provides. `answers/<kind>/kind.tsx` exports one as default and is found by listing. */
import type { ComponentType } from 'react'

import type { Answer } from '../lib/api/answer'
import type { Annotation, Bounds, Label, Task } from '../lib/api/types'
import type { CellKind } from '../lib/table/cells'
import type { Outcome } from './outcomes'

/** As much of an annotation as is drawn or written. */
export interface AnnotationLike {
  kind: string
  label?: string | null
  /** 0..1; absent or null of what a person annotated. */
  score?: number | null
  value?: unknown
  x?: number
  y?: number
  width?: number
  height?: number
  /** Of an object with pixels: around them. */
  box?: Bounds | null
  /** Of a mask: its pixels. */
  counts?: string
  /** How unlike the normal pictures each place is, where a model answers so. */
  heat_map?: { score: number; width: number; height: number; values: string } | null
  /** Of a vector: its numbers. */
  values?: readonly number[]
  /** Of an outline. */
  points?: readonly unknown[]
  holes?: readonly unknown[]
  /** Properties, such as what a line of text says. */
  attributes?: readonly { name: string; value: unknown }[]
}

export interface OverlayProps {
  /** Those that the kind draws. */
  annotations: readonly AnnotationLike[]
  labels: readonly Pick<Label, 'name' | 'color'>[]
  width_px: number
  height_px: number
  /** Names in the drawing; thumbnails are too small for them. */
  hasNames?: boolean | undefined
  /** How sure a model was, behind the names. */
  hasScores?: boolean | undefined
}

/** What is explained: a label's score, or an object. */
export interface Explained {
  /** Null of a number. */
  label: string | null
  box?: Bounds
  score_fraction?: number | null
  /** Of an object. */
  outcome?: Outcome
}

/** An item of a report: its truth, and the prediction. */
export type JudgedItem = Answer<'ReportItemOut'>

export interface JudgedCardProps {
  item: JudgedItem
  /** Thresholds by label where an item may carry several; empty otherwise. */
  thresholds: Record<string, number>
}

export interface JudgedFactsProps extends JudgedCardProps {
  /** Leaves out what the item is: it stands above already. */
  hasTruth?: boolean
}

export interface JudgedSplitProps {
  split: Answer<'SplitReportOut'>
}

export interface PredictionProps {
  /** Of one item. */
  annotations: readonly AnnotationLike[]
}

/** How sheets in which many items stand below one another show the answer for each. */
export interface JudgedRow {
  /** Key in the dictionary `models`: what the third cell holds. */
  title: string
  /** Three cells: truth, answer and what lies between them. */
  Cells: ComponentType<JudgedCardProps>
}

/** Of a call that was answered, as the log of a deployment keeps it. */
export type LoggedCall = Pick<Answer<'PredictionLogOut'>, 'top' | 'values'>

/** Another way to try a deployment, the whole width wide. */
export interface FurtherTryOutProps {
  deployment: Pick<Answer<'DeploymentOut'>, 'id' | 'project' | 'state'>
}

export interface AnswerKind {
  /** The folder is called the same. */
  name: string
  /** The kind of annotation as which such an answer is written. */
  annotation: Annotation['kind']
  /** As tasks list such answers; no other kind has any of them. */
  outputs: readonly Task['outputs'][number][]
  /** Which of these annotations lie somewhere; absent: all, where there is an `Overlay`. */
  lies?: (annotation: AnnotationLike) => boolean
  /** Kinds of annotations that `Overlay` draws and people annotate with; absent: `annotation` alone. */
  drawn?: readonly Annotation['kind'][]
  /** Where a task may answer in several ways, a metric of this unit is measured of this one alone. */
  unit?: Task['metrics'][number]['unit']
  /** How a person enters it: picks a label, draws, or types. */
  input: 'pick' | 'draw' | 'write'
  /** Whether it is about an item as a whole, so that many items can be given one at once. */
  isOfWhole: boolean
  /** Whether labels are among it; else there is nothing to count them by. */
  hasLabels: boolean
  /** Whether an answer has an uncertainty. */
  hasUncertainty: boolean
  /** Whether the mean of several models' answers is an answer too; absent: no. */
  isAveraged?: boolean
  /** What of a judged item's answer can be explained, the likeliest first; absent where it cannot be shown what counted for an answer. */
  explained?: (item: JudgedItem, thresholds: Record<string, number>) => Explained[]
  /** The columns of a table that may be predicted so, and the key of the dictionary `columns` that asks for one. */
  target?: { kinds: readonly CellKind[]; text: string }
  /** Writes a share of such an answer, as explanations of it have them. */
  format: (part: number) => string
  /** An annotation in a word or two. */
  text: (annotation: AnnotationLike) => string
  /** A call's answer in a few words. */
  callText: (call: LoggedCall) => string
  /** What a program sends when it knows the right answer of a call, as JSON; absent where models are not compared by it. */
  truthExample?: string
  /** Draws annotations over their picture; absent where an answer has no place in it. */
  Overlay?: ComponentType<OverlayProps>
  /** The prediction for one item; nothing where there is none. */
  Prediction: ComponentType<PredictionProps>
  /** Below the usual form to try a deployment; absent where there is but that. */
  FurtherTryOut?: ComponentType<FurtherTryOutProps>
  /** Further files of a batch prediction that a job makes: key in the dictionary `predictions`, below `download`, and the address,
   *  to which a POST starts the job. */
  downloads?: readonly { key: 'fields'; href: (prediction: string) => string }[]
  JudgedCard: ComponentType<JudgedCardProps>
  /** Beside an item that is shown large: truth and prediction, with all scores. */
  JudgedFacts: ComponentType<JudgedFactsProps>
  /** Over an item that is shown large; absent where an answer lies nowhere. */
  JudgedOverlay?: ComponentType<JudgedCardProps>
  /** How far truths of a split lie apart: whoever always answers their mean errs as much. Absent where answers are no amounts. */
  spread?: (split: JudgedSplitProps['split']) => number | null
  /** Errors of a split in plain words, below the headline of a report. */
  ErrorsInWords?: ComponentType<JudgedSplitProps>
  /** Absent of what is never answered of rows. */
  judgedRow?: JudgedRow
}
