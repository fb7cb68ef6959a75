import type { ReactNode } from 'react'

import type { Item } from '../lib/api/types'
import { useModality } from '../lib/project/task'
import type { Evidence } from './evidence-text'
import { PictureStage } from './picture-stage'
import { RowStage } from './row-stage'
import { TextStage } from './text-stage'

interface ItemStageProps {
  item: (Pick<Item, 'name' | 'text' | 'media' | 'picture_url' | 'thumbnail_url'> & Partial<Pick<Item, 'row'>>) | null
  /** Lies exactly over a picture. */
  overlay?: ReactNode
  /** Tints what counted in a text. */
  evidence?: Evidence | undefined
  children?: ReactNode
}

/** One item as large as the page allows: a picture to look at, a text or a row to read. */
export function ItemStage({ item, overlay, evidence, children }: ItemStageProps) {
  const isRow = useModality() === 'tabular'
  if (item && isRow) return <RowStage item={item}>{children}</RowStage>
  if (item && item.text !== null)
    return (
      <TextStage item={item} evidence={evidence}>
        {children}
      </TextStage>
    )
  return (
    <PictureStage picture={item} overlay={overlay}>
      {children}
    </PictureStage>
  )
}
