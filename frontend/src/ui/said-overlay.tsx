import type { Item, Label } from '../lib/api/types'
import { BoxOverlay } from './box-overlay'

/** As much of an annotation as is drawn; what has other corners is left out. */
export interface Said {
  kind: string
  label?: string | null
  x?: number
  y?: number
  width?: number
  height?: number
}

interface SaidOverlayProps {
  item: Pick<Item, 'media'>
  annotations: readonly Said[]
  labels: readonly Label[]
  hasNames?: boolean | undefined
}

/** The boxes that are said of a picture, in their labels' colours, over it; nothing where none are said. */
export function SaidOverlay({ item, annotations, labels, hasNames }: SaidOverlayProps) {
  const boxes = annotations.flatMap(({ kind, label, x = 0, y = 0, width = 0, height = 0 }) => {
    const color = labels.find(({ name }) => name === label)?.color
    return kind === 'box' ? [{ label: label ?? '', x, y, width, height, color }] : []
  })
  const { width: width_px, height: height_px } = item.media
  if (boxes.length === 0 || !width_px || !height_px) return null
  return <BoxOverlay boxes={boxes} width_px={width_px} height_px={height_px} hasNames={hasNames} />
}
