/** From a place in the report to the query for its pictures. */

import { changedThresholds, type Outcome } from './threshold-counts'

/** Of a threshold of one label that is tried; `other` is the label that excludes it, where there is one. */
export interface OutcomeView {
  kind: 'outcome'
  label: string
  threshold: number
  outcome: Outcome
  other: string | null
}

/** Items that a guarantee leaves to a person, or that are answered wrongly without one. */
export interface UnsureView {
  kind: 'unsure'
  errorRate: number
  scope: 'all' | 'label'
  outcome: 'asked' | 'wrong'
}

export type ItemsView =
  | { kind: 'cell'; truth: string; answer: string }
  /** Objects of a label that were given another; without one of the two, objects that were missed, or predicted where nothing is. */
  | { kind: 'objects'; truth: string | null; answer: string | null }
  | { kind: 'label'; label: string }
  | { kind: 'errors' }
  | { kind: 'one'; item: string }
  /** Of the split's slices, by its place among them. */
  | { kind: 'slice'; place: number }
  | OutcomeView
  | UnsureView

export type SplitName = 'train' | 'validation' | 'test'

export interface ItemsQuery {
  split: SplitName
  truth?: string
  prediction?: string
  objects?: boolean
  only?: 'errors'
  item?: string
  label?: string
  threshold?: number
  outcome?: Outcome
  unsure?: UnsureView['outcome']
  error_rate?: number
  scope?: UnsureView['scope']
  slice?: number
  order: 'item' | 'loss'
}

/** A cell asks for its pair, a label for all its items, the gallery for all mistakes, a slice for its items, a point of a chart for its item; the worst come first everywhere. */
export function itemsQuery(split: SplitName, view: ItemsView): ItemsQuery {
  switch (view.kind) {
    case 'cell':
      return { split, truth: view.truth, prediction: view.answer, order: 'loss' }
    case 'objects':
      return {
        split,
        objects: true,
        ...(view.truth === null ? {} : { truth: view.truth }),
        ...(view.answer === null ? {} : { prediction: view.answer }),
        order: 'loss',
      }
    case 'label':
      return { split, truth: view.label, order: 'loss' }
    case 'errors':
      return { split, only: 'errors', order: 'loss' }
    case 'outcome':
      return { split, label: view.label, threshold: view.threshold, outcome: view.outcome, order: 'loss' }
    case 'unsure':
      return { split, unsure: view.outcome, error_rate: view.errorRate, scope: view.scope, order: 'loss' }
    case 'slice':
      return { split, slice: view.place, order: 'loss' }
    case 'one':
      return { split, item: view.item, order: 'item' }
  }
}

/** The thresholds of a view: one being tried overrides the model's own. */
export function thresholdsIn(view: ItemsView, thresholds: Record<string, number>): Record<string, number> {
  return view.kind === 'outcome' ? changedThresholds(thresholds, view.label, view.threshold, view.other) : thresholds
}
