/** From a place in the report to the query for its pictures. */

export type ItemsView = { kind: 'cell'; truth: string; answer: string } | { kind: 'label'; label: string } | { kind: 'errors' }

export type SplitName = 'train' | 'validation' | 'test'

export interface ItemsQuery {
  split: SplitName
  truth?: string
  prediction?: string
  only?: 'errors'
  order: 'item' | 'loss'
}

/** A cell asks for its pair, a label for all its items, and the gallery for all mistakes; the worst come first everywhere. */
export function itemsQuery(split: SplitName, view: ItemsView): ItemsQuery {
  switch (view.kind) {
    case 'cell':
      return { split, truth: view.truth, prediction: view.answer, order: 'loss' }
    case 'label':
      return { split, truth: view.label, order: 'loss' }
    case 'errors':
      return { split, only: 'errors', order: 'loss' }
  }
}
