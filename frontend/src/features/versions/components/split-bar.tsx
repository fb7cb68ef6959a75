import { useTranslation } from 'react-i18next'

import { SPLIT_COLORS, SPLITS } from '../../../charts/palette/split-colors'
import { ShareBar } from '../../../charts/share-bar/share-bar'

interface SplitBarProps {
  counts: Partial<Record<string, number>>
  hasLegend?: boolean
}

/** Items by split as one bar. */
export function SplitBar({ counts, hasLegend = false }: SplitBarProps) {
  const { t } = useTranslation('charts')
  const parts = SPLITS.map((split) => ({
    key: split,
    title: t(`split.${split}`),
    count: counts[split] ?? 0,
    color: SPLIT_COLORS[split] ?? '',
  }))
  return <ShareBar parts={parts} hasLegend={hasLegend} />
}
