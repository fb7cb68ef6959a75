/** The values of the start form and what they become on the wire. */

import type { Goal } from '../api/types'
import { type Ranges, rangesOf, withoutSizes } from './ranges'

export const STRATEGIES = [
  'portfolio',
  'consensus',
  'gaussian_then_tpe',
  'tpe',
  'gaussian_process',
  'cma_es',
  'particle_swarm',
  'nsga2',
  'random_search',
  'single',
] as const
export type Strategy = (typeof STRATEGIES)[number]

export const PRUNERS = ['none', 'median', 'asha', 'hyperband'] as const
export type Pruner = (typeof PRUNERS)[number]

export type ParamValue = string | number | boolean

export type SideObjective = 'latency_ms' | 'model_bytes'

export const SIDE_OBJECTIVES: readonly SideObjective[] = ['latency_ms', 'model_bytes']

export interface TrainConfig {
  family: string
  size: string
  params: Record<string, ParamValue>
}

/** An earlier model that training goes on from. */
export interface StartModel {
  id: string
  family: string
  size: string
  /** As it was trained. */
  params: Record<string, ParamValue>
}

export interface StudyForm {
  version: string
  /** Null starts with a new model; else its family and size alone are trained. */
  start: StartModel | null
  name: string
  strategy: Strategy
  /** The preset that filled families and trials; null once either was changed by hand. */
  goal: Goal | null
  families: string[]
  max_trials: number
  concurrency: number
  /** Empty text means no limit. */
  time_limit_min: number | ''
  /** Who stops hopeless trials early. */
  pruner: Pruner
  /** The metric is good enough here; empty text runs all trials. */
  target: number | ''
  seed: number
  /** Metric to improve; empty takes the first that the task measures. */
  objective: string
  /** What a search improves besides; no trial is stopped early then, and no mean of several is shipped. */
  also_improves: SideObjective[]
  /** The shipped model is refitted with the held-back items; with test items only if `learns_test`. */
  refits: boolean
  learns_test: boolean
  /** How many times as long as the slowest of its models the mean of several may take to answer; 1 ships one model. */
  max_answer_ratio: number
  /** Of equally good models the one is shipped that answers fastest. */
  prefers_fast: boolean
  /** What strategy `single` trains. */
  single: TrainConfig
  /** What the other strategies may try of each family. */
  ranges: Ranges
  /** Limits by name of a parameter: no trial takes more of it. Set by a goal, or by what a check recommends. */
  at_most: Record<string, number>
  /** `cpu` never takes a GPU. */
  device: 'auto' | 'cpu'
  /** That train each network together, on each host. */
  num_processes: number
  /** That train each network together. */
  num_hosts: number
  /** How several processes put their gradients together. */
  data_parallel: DataParallel
  /** A search begins with what did best in earlier studies. */
  warm_start: boolean
}

export interface DataParallel {
  way: 'plain' | 'ddp' | 'fsdp'
  /** Mebibytes of gradients that are sent at once. */
  bucket_mb: number
  sends_bf16: boolean
}

export const DATA_PARALLEL_WAYS: readonly DataParallel['way'][] = ['plain', 'ddp', 'fsdp']

export const INITIAL_FORM: StudyForm = {
  version: '',
  start: null,
  name: '',
  strategy: 'portfolio',
  goal: 'balanced',
  families: [],
  max_trials: 8,
  concurrency: 1,
  time_limit_min: '',
  pruner: 'median',
  target: '',
  seed: 0,
  objective: '',
  also_improves: [],
  refits: true,
  learns_test: false,
  max_answer_ratio: 3,
  prefers_fast: false,
  single: { family: '', size: '', params: {} },
  ranges: {},
  at_most: {},
  device: 'auto',
  num_processes: 1,
  num_hosts: 1,
  data_parallel: { way: 'plain', bucket_mb: 25, sends_bf16: false },
  warm_start: true,
}

export interface PlanRequest {
  project: string
  version: string
  strategy: Strategy
  families: string[]
  max_trials: number
  concurrency: number
  train: TrainConfig | null
  start_from: string | null
  objective: string
  also_improves: SideObjective[]
  refits: boolean
  learns_test: boolean
  max_answer_ratio: number
  prefers_fast?: true
  ranges?: Ranges
  at_most?: Record<string, number>
  device?: 'cpu'
  num_processes?: number
  num_hosts?: number
  data_parallel?: DataParallel
  warm_start?: false
}

export interface StudyRequest extends PlanRequest {
  name: string
  pruner: Pruner
  target: number | null
  time_limit_s: number | null
  seed: number
}

/** What the search improves besides the metric; a single trial improves nothing. */
export function sideObjectives({ strategy, also_improves }: StudyForm): SideObjective[] {
  return strategy === 'single' ? [] : SIDE_OBJECTIVES.filter((name) => also_improves.includes(name))
}

/** Whether several processes train a network. */
export function isSeveral({ num_processes, num_hosts }: StudyForm): boolean {
  return num_processes * num_hosts > 1
}

/** Names of the families that a search may train. */
export function trainedFamilies({ start, families }: StudyForm): string[] {
  return start ? [start.family] : families
}

/** The question what would run and how long it would take. A single trial is one trial, whatever was typed before. */
export function toPlanRequest(project: string, form: StudyForm): PlanRequest {
  const { version, start, strategy, objective, refits } = form
  const common = {
    project,
    version,
    start_from: start?.id ?? null,
    strategy,
    objective,
    also_improves: sideObjectives(form),
    refits,
    learns_test: refits && form.learns_test,
    max_answer_ratio: refits && !sideObjectives(form).length ? form.max_answer_ratio : 1,
    ...(form.prefers_fast && { prefers_fast: true as const }),
    ...(Object.keys(form.at_most).length > 0 && { at_most: form.at_most }),
    ...(form.device === 'cpu' && { device: form.device }),
    ...(form.num_processes > 1 && { num_processes: form.num_processes }),
    ...(form.num_hosts > 1 && { num_hosts: form.num_hosts }),
    ...(isSeveral(form) && { data_parallel: form.data_parallel }),
  }
  if (strategy === 'single') {
    return { ...common, families: [form.single.family], max_trials: 1, concurrency: 1, train: form.single }
  }
  const concurrency = Math.min(form.concurrency, form.max_trials)
  const families = trainedFamilies(form)
  const ranges = rangesOf(start ? withoutSizes(form.ranges) : form.ranges, families)
  const warm = !form.warm_start && { warm_start: false as const }
  return { ...common, families, max_trials: form.max_trials, concurrency, train: null, ...(ranges && { ranges }), ...warm }
}

/** The request that starts the study. */
export function toStudyRequest(project: string, form: StudyForm): StudyRequest {
  return {
    ...toPlanRequest(project, form),
    name: form.name.trim(),
    pruner: form.strategy !== 'single' && !sideObjectives(form).length ? form.pruner : 'none',
    target: form.strategy === 'single' || form.target === '' ? null : form.target,
    time_limit_s: form.time_limit_min === '' ? null : Math.round(form.time_limit_min * 60),
    seed: form.seed,
  }
}

export type FormField = 'version' | 'families' | 'single'

/** Fields that keep the form from being sent, each with the key of the text to show. */
export function formProblems(form: StudyForm): Partial<Record<FormField, 'version_missing' | 'families_missing' | 'family_missing'>> {
  const isSingle = form.strategy === 'single'
  return {
    ...(!form.version && { version: 'version_missing' as const }),
    ...(!isSingle && !form.start && !form.families.length && { families: 'families_missing' as const }),
    ...(isSingle && !form.single.family && { single: 'family_missing' as const }),
  }
}

interface ParamLike {
  name: string
  default: ParamValue
}

/** All parameters of a family at their defaults, keeping what was changed before. */
export function withDefaults(params: readonly ParamLike[], given: Record<string, ParamValue> = {}): Record<string, ParamValue> {
  return Object.fromEntries(params.map((param) => [param.name, given[param.name] ?? param.default]))
}
