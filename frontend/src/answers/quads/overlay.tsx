import type { OverlayProps } from '../kind'
import { textOf } from './lines'
import { QuadOverlay } from './quad-overlay'

/** A line of a label that the project no longer has. */
const UNKNOWN = '#4ade80'

/** The lines of text annotated on a picture, in their labels' colours. */
export function Overlay({ annotations, labels, width_px, height_px, hasNames }: OverlayProps) {
  const lines = annotations.map((line) => ({
    points: (line.points ?? []) as [number, number][],
    text: textOf(line),
    color: labels.find(({ name }) => name === line.label)?.color ?? UNKNOWN,
  }))
  return <QuadOverlay lines={lines} width_px={width_px} height_px={height_px} hasTexts={hasNames} />
}
