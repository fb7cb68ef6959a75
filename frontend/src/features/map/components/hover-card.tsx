import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import { useSimilarity } from '../../../items/use-similarity'
import { formatPercent } from '../../../lib/format'
import { IdThumb } from '../../../items/id-thumb'
import type { MapData } from '../api/get-map'
import classes from './map.module.css'

const HEIGHT = 236

interface HoverCardProps {
  data: MapData
  index: number
  px: number
  py: number
}

/** The item under the pointer, with its annotations. */
export function HoverCard({ data, index, px, py }: HoverCardProps) {
  const { t } = useTranslation('map')
  const nothing = useNothingWord()
  const width = useSimilarity().card_px
  const item = data.items[index]
  if (item === undefined) return null
  const label = data.label[index] ?? -2
  const suggestion = data.suggestion[index] ?? -1
  return (
    <div
      className={classes.card}
      style={{ width, left: px > width + 24 ? px - width - 14 : px + 14, top: Math.max(4, py > HEIGHT + 24 ? py - HEIGHT : py + 8) }}
    >
      <IdThumb item={item} lines={7} />
      <Text size="sm" fw={600} mt={4} truncate>
        {label >= 0 ? data.labels[label] : label === -2 ? t('legend.unlabelled') : nothing}
      </Text>
      {label === -2 && suggestion >= 0 && (
        <Text size="xs" c="dimmed" truncate>
          {t('suggested', { name: data.labels[suggestion], confidence: formatPercent((data.confidence[index] ?? 0) / 100) })}
        </Text>
      )}
    </div>
  )
}
