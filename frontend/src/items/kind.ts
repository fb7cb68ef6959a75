/** What each kind of items provides. `items/<kind>/kind.tsx` exports one as default and is found by listing. */
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ComponentType, ReactNode } from 'react'

import type { Answer } from '../lib/api/answer'
import type { components } from '../lib/api/schema'
import type { Item, Task } from '../lib/api/types'
import type { Evidence } from '../lib/evidence'

/** As the API names it; the folder is called the same. */
export type KindName = Task['modality']

/** As much of an item as a card shows. */
export interface ShownItem {
  /** Where a text begins, or what is kept of a row; null of what is no words. */
  text: string | null
  thumbnail_url: string | null
  /** Cells by column; absent or null of what is no row. */
  row?: { cells: Record<string, string> } | null | undefined
}

export interface ThumbProps {
  item: ShownItem
  alt: string
  /** Width of a picture in pixels; what is read takes more. All there is without one. */
  size?: number
  /** So many lines are shown of what is read, where no size is given. */
  lines?: number
  /** Lies exactly over a picture. */
  overlay?: ReactNode
}

export type StagedItem = Pick<Item, 'name' | 'text' | 'media' | 'picture_url' | 'thumbnail_url'> & Partial<Pick<Item, 'row'>>

export interface StageProps {
  item: StagedItem
  /** Lies exactly over a picture. */
  overlay?: ReactNode
  /** Shows what counted: tints parts of a text, darkens what did not count in a picture. */
  evidence?: Evidence | undefined
  children?: ReactNode
}

export interface LineProps {
  item: ShownItem
  /** What is searched for. */
  search: string
}

/**
 * How many items stand together: tiles in a wall, lines below one another, or a sheet with a column for each field. Pages have a
 * component for each.
 */
export type Wall = { form: 'tiles' } | { form: 'lines'; Line: ComponentType<LineProps> } | { form: 'sheet' }

/** How items come in, besides what all can do. */
export interface UploadWays {
  Icon: ComponentType<{ size?: number | string }>
  /** Of files that the browser offers, as `accept` wants it. */
  accept: string
  hasFolders: boolean
  /** Dialogs that this kind has. */
  dialogs: readonly ('paste' | 'database')[]
  /** Files of items that would else be taken for files of labels; null where there are none. */
  items: RegExp | null
  /** Whether a folder, or a word behind an address, may label an item. */
  takesLabels: boolean
  /** How a list of addresses, a prefix of a bucket and a folder may look. */
  examples: { urls: string; prefix: string; folder: string }
}

/** What is computed of items before any model is trained: which are alike. The map, the search and first suggestions come from it. */
export interface Similarity {
  /** What may be compared with the project's items. */
  takes: 'file' | 'words'
  Icon: ComponentType<{ size?: number | string }>
  /** Below this similarity the nearest item is called unlike; null where no such border is known. */
  alikeFrom: number | null
  /** Of the card beside the pointer. */
  card_px: number
}

export interface LoggedInputProps {
  call: Pick<Answer<'PredictionLogOut'>, 'input_url' | 'input_text' | 'input_row'>
}

/** What the log of a deployment shows of an item that was sent and kept. */
export interface LogColumn {
  /** Key in the dictionary `deployments`; null without a title. */
  title: string | null
  width: number | string
  align?: 'right'
  LoggedInput: ComponentType<LoggedInputProps>
}

export interface ExplanationProps {
  artefact: string
  /** Id of the item. */
  item: string
  /** Null where a number is predicted. */
  label: string | null
  /** Writes an answer, or a part of it. */
  format: (part: number) => string
}

export interface ItemKind {
  name: KindName
  /** What a card or a line shows of an item. */
  Thumb: ComponentType<ThumbProps>
  /** Whether the server has a thumbnail of an item, to be drawn by its id alone. */
  hasThumbnails: boolean
  /** One item as large as the page allows. */
  Stage: ComponentType<StageProps>
  /** How large an item is, in the words of the dictionary `common`. */
  sizeText: (media: Item['media'], t: TFunction<'common'>) => string
  /** Fetches what the stage will need of an item that comes up next. */
  preload: (queries: QueryClient, item: Pick<Item, 'text' | 'picture_url' | 'media'>) => void
  /** One item in drawings, 42 x 34, in the roles of their colours. */
  sketch: ReactNode
  wall: Wall
  upload: UploadWays
  /** Null where nothing is computed before a model is trained. */
  similarity: Similarity | null
  /** The page below a project where labels come from. */
  labelsFrom: 'labelling' | 'columns'
  /** Of what it can be shown what in an item counted for it: suggestions while labelling, answers of trained models. */
  explained: ReadonlySet<'suggestion' | 'answer'>
  /** Shows beside a judged item what counted for an answer; absent where it is shown on the item itself. */
  Explanation?: ComponentType<ExplanationProps>
  /** What is looked for when the data are inspected. */
  findings: ReadonlySet<components['schemas']['FindingKind']>
  logColumn: LogColumn
}
