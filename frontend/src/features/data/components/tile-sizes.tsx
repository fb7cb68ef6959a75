import { Center, SegmentedControl, Tooltip, VisuallyHidden } from '@mantine/core'
import {
  IconBaselineDensityLarge,
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconGridDots,
  IconLayoutGrid,
  IconSquare,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { TileSize } from '../model/wall-layout'

const SIZE_ICONS = {
  tiles: { small: IconGridDots, medium: IconLayoutGrid, large: IconSquare },
  lines: { small: IconBaselineDensitySmall, medium: IconBaselineDensityMedium, large: IconBaselineDensityLarge },
}

interface TileSizesProps {
  /** Tiles, or texts of so many lines. */
  form: 'tiles' | 'lines'
  size: TileSize
  onChange: (size: TileSize) => void
}

/** How large the tiles are, or how much of each text is shown. */
export function TileSizes({ form, size, onChange }: TileSizesProps) {
  const { t } = useTranslation('data')
  return (
    <SegmentedControl
      size="xs"
      aria-label={t(`gallery.size.${form}.title`)}
      value={size}
      onChange={(value) => onChange(value as TileSize)}
      data={(['small', 'medium', 'large'] as const).map((value) => {
        const Icon = SIZE_ICONS[form][value]
        return {
          value,
          label: (
            <Tooltip label={t(`gallery.size.${form}.${value}`)}>
              <Center>
                <Icon size={14} aria-hidden />
                <VisuallyHidden>{t(`gallery.size.${form}.${value}`)}</VisuallyHidden>
              </Center>
            </Tooltip>
          ),
        }
      })}
    />
  )
}
