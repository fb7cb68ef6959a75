/** What is to be predicted, with which model. Pure. */
import type { Split } from '../../../lib/api/types'
import { type IncomingFile, isLitter } from '../../../lib/upload/incoming'
import type { ItemFilter, RunRequest, Source } from '../api/types'

export interface ItemChoice {
  state: 'all' | 'unlabelled' | 'annotated'
  /** At least one of these. */
  labels: readonly string[]
  split: Split | null
  text: string
}

export interface PredictionForm {
  /** Empty while none is chosen. */
  artefact: string
  source: Source
  items: ItemChoice
  /** Empty while none is chosen. */
  version: string
  files: readonly IncomingFile[]
}

export type FormProblem = 'no_model' | 'no_version' | 'no_files' | 'too_many_files'

export const ALL_ITEMS: ItemChoice = { state: 'all', labels: [], split: null, text: '' }
/** A server takes no more files in a run; an archive counts as one. */
export const MAX_FILES = 1000

export function problemOf({ artefact, source, version, files }: PredictionForm): FormProblem | null {
  if (!artefact) return 'no_model'
  if (source === 'version' && !version) return 'no_version'
  if (source === 'files' && !files.length) return 'no_files'
  if (source === 'files' && files.length > MAX_FILES) return 'too_many_files'
  return null
}

/** Adds files; one at a place where another is takes it, and what systems leave behind is passed over. */
export function withFiles(files: readonly IncomingFile[], more: readonly IncomingFile[]): IncomingFile[] {
  const accepted = more.filter(({ path }) => !isLitter(path))
  const places = new Set(accepted.map(({ path }) => path))
  return [...files.filter(({ path }) => !places.has(path)), ...accepted]
}

function filterOf({ state, labels, split, text }: ItemChoice): ItemFilter {
  return {
    state: state === 'all' ? null : state,
    labels: [...labels],
    split,
    text: text.trim(),
    where: 'present',
    without: [],
    facts: [],
    cells: [],
  }
}

/** @param uploads of the files, which have all arrived. */
export function requestOf({ artefact, source, items, version }: PredictionForm, uploads: string[]): RunRequest {
  return {
    artefact,
    source,
    uploads,
    filter: source === 'items' ? filterOf(items) : null,
    version: source === 'version' ? version : null,
  }
}
