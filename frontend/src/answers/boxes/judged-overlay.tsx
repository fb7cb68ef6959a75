import { formatFraction } from '../../charts/format/format'
import type { JudgedCardProps } from '../kind'
import { BoxOverlay } from './box-overlay'
import { COLORS } from '../outcomes'
import { boxJudgement } from './judgement'

interface JudgedOverlayProps extends JudgedCardProps {
  /** Labels and scores in the drawing; thumbnails are too small for them. */
  hasNames?: boolean
}

/** What a detector found, missed and imagined on one picture, drawn over it. */
export function JudgedOverlay({ item, thresholds, hasNames = false }: JudgedOverlayProps) {
  if (item.width_px === null || item.height_px === null) return null
  const boxes = boxJudgement(item, thresholds).boxes.map(({ outcome, score_fraction, label, ...corners }) => ({
    ...corners,
    label: score_fraction === null ? label : `${label} ${formatFraction(score_fraction)}`,
    color: COLORS[outcome],
    isDashed: outcome === 'missed',
  }))
  return <BoxOverlay boxes={boxes} width_px={item.width_px} height_px={item.height_px} hasNames={hasNames} />
}

/** The same over a picture that is shown large. */
export function NamedOverlay(props: JudgedCardProps) {
  return <JudgedOverlay {...props} hasNames />
}
