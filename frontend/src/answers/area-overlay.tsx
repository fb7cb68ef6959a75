import { useTranslation } from 'react-i18next'

import { IGNORED_COLOR, isIgnored } from '../lib/labels/ignored'
import type { OverlayProps } from './kind'
import { AreaLayer } from './area-layer'
import { areaOf, stepFor, withoutCovered } from './areas'

/** Of a label that the project no longer has. */
const UNKNOWN = '#94a3b8'

/** The areas annotated on a picture, in their labels' colours; where they overlap, the later one is seen. */
export function Overlay({ annotations, labels, width_px, height_px, hasNames = false, hasScores = false }: OverlayProps) {
  const { t } = useTranslation('canvas')
  const sides = { width_px, height_px }
  const step = stepFor(sides, hasNames)
  const areas = annotations.flatMap((one) => {
    const area = areaOf(one, sides, step)
    if (!area) return []
    if (isIgnored(one.label, labels)) return [{ area, color: IGNORED_COLOR, name: t('labels.ignored'), isHatched: true }]
    const color = labels.find(({ name }) => name === one.label)?.color ?? UNKNOWN
    const name = hasScores && one.score != null ? `${one.label} ${Math.round(one.score * 100)}%` : (one.label ?? '')
    return [{ area, color, name }]
  })
  return <AreaLayer areas={withoutCovered(areas)} step={step} width_px={width_px} height_px={height_px} hasNames={hasNames} />
}
