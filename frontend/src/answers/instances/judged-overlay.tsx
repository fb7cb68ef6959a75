import { formatFraction } from '../../charts/format/format'
import { useProject } from '../../lib/project/project'
import { COLORS } from '../outcomes'
import type { JudgedCardProps } from '../kind'
import { AreaLayer } from '../area-layer'
import { areaOf, type Sides, stepFor } from '../areas'
import { Overlay } from '../area-overlay'
import { useView } from '../judged-view'
import { objectJudgement, shownOf } from './judgement'

interface OutcomesProps extends JudgedCardProps, Sides {
  /** With labels and scores; thumbnails have no room for them. */
  isLarge: boolean
}

/** The objects in the colours of what became of them. */
export function Outcomes({ item, thresholds, isLarge, ...sides }: OutcomesProps) {
  const step = stepFor(sides, isLarge)
  const areas = objectJudgement(item, thresholds).objects.flatMap(({ annotation, outcome, score_fraction }) => {
    const area = areaOf(annotation, sides, step)
    const label = annotation.label ?? ''
    const name = score_fraction === null ? label : `${label} ${formatFraction(score_fraction)}`
    return area ? [{ area, color: COLORS[outcome], name }] : []
  })
  return <AreaLayer areas={areas} step={step} hasNames={isLarge} {...sides} />
}

/** Over a picture that is shown large: what became of each object, or what one of both sides outlines. */
export function JudgedOverlay({ item, thresholds }: JudgedCardProps) {
  const [view] = useView()
  const labels = useProject().data?.label_set.labels ?? []
  const { width_px, height_px } = item
  if (width_px === null || height_px === null) return null
  const sides = { width_px, height_px }
  if (view === 'differences') return <Outcomes item={item} thresholds={thresholds} isLarge {...sides} />
  const annotations = view === 'truth' ? item.truth : shownOf(item, thresholds)
  return <Overlay annotations={annotations} labels={labels} hasNames hasScores={view === 'answer'} {...sides} />
}
