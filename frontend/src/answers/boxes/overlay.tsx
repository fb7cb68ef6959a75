import type { OverlayProps } from '../kind'
import { BoxOverlay } from './box-overlay'

/** A model's box of a label that the project no longer has. */
const UNKNOWN = '#4ade80'

/** The boxes annotated on a picture, in their labels' colours. */
export function Overlay({ annotations, labels, width_px, height_px, hasNames, hasScores = false }: OverlayProps) {
  const boxes = annotations.map(({ label, score, x = 0, y = 0, width = 0, height = 0 }) => {
    const color = labels.find(({ name }) => name === label)?.color ?? (hasScores ? UNKNOWN : undefined)
    const name = hasScores && score != null ? `${label} ${Math.round(score * 100)}%` : (label ?? '')
    return { x, y, width, height, color, label: name }
  })
  return <BoxOverlay boxes={boxes} width_px={width_px} height_px={height_px} hasNames={hasNames} />
}
