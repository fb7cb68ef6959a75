/** What a project's card shows of its items. Apart from the kinds themselves, so that the page of all projects loads no stage. */
import type { ComponentType } from 'react'

import type { KindName, ShownItem } from './kind'

export interface CardProps {
  /** At least one. */
  items: readonly ShownItem[]
}

/** `items/<kind>/card.tsx`, found by listing. */
export const CARDS = import.meta.glob<{ default: ComponentType<CardProps> }>('./*/card.tsx', { eager: true })

/** Some items of a project as their kind shows them; nothing of a kind that this page does not know. */
export function ItemsCard({ kind, items }: CardProps & { kind: KindName }) {
  const found = CARDS[`./${kind}/card.tsx`]
  return found ? <found.default items={items} /> : null
}
