import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import type { CanvasLabel } from '../../../canvas/label'
import type { Label } from '../../../lib/api/types'
import { IGNORED_COLOR, IGNORED_LABEL } from '../../../lib/labels/ignored'

/** What objects may be called: the labels of the project, and behind them areas that do not count, where a task has such. */
export function useDrawnLabels(labels: readonly Label[], hasIgnoredAreas: boolean): readonly CanvasLabel[] {
  const { t } = useTranslation('canvas')
  const title = t('labels.ignored')
  return useMemo(() => {
    if (!hasIgnoredAreas || labels.length === 0 || labels.some(({ name }) => name === IGNORED_LABEL)) return labels
    return [...labels, { name: IGNORED_LABEL, color: IGNORED_COLOR, title, isHatched: true }]
  }, [labels, hasIgnoredAreas, title])
}
