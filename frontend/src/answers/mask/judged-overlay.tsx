import { useProject } from '../../lib/project/project'
import type { JudgedCardProps, JudgedItem } from '../kind'
import { IGNORED_COLOR } from '../../lib/labels/ignored'
import { AreaLayer, type DrawnArea } from '../area-layer'
import { type Sides, stepFor } from '../areas'
import { COLORS, maskJudgement, OUTCOMES } from './judgement'
import { Overlay } from '../area-overlay'
import { useView } from '../judged-view'

/** Where the answer is right, and where it errs in which way. */
export function Differences({ item, isLarge, ...sides }: Sides & { item: JudgedItem; isLarge: boolean }) {
  const { areas, ignored } = maskJudgement(item, sides, isLarge)
  const drawn: DrawnArea[] = OUTCOMES.map((outcome) => ({ area: areas[outcome], color: COLORS[outcome] }))
  if (!ignored.isEmpty) drawn.push({ area: ignored, color: IGNORED_COLOR, isHatched: true })
  return <AreaLayer areas={drawn} step={stepFor(sides, isLarge)} isPlain {...sides} />
}

/** On an enlarged picture: the differences, or one of the two sides. */
export function JudgedOverlay({ item }: JudgedCardProps) {
  const [view] = useView()
  const labels = useProject().data?.label_set.labels ?? []
  const { width_px, height_px } = item
  if (width_px === null || height_px === null) return null
  if (view === 'differences') return <Differences item={item} isLarge width_px={width_px} height_px={height_px} />
  const annotations = view === 'truth' ? item.truth : item.prediction
  return (
    <Overlay annotations={annotations} labels={labels} width_px={width_px} height_px={height_px} hasNames hasScores={view === 'answer'} />
  )
}
