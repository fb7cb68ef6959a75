import { Center, SegmentedControl, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconGridDots, IconLayoutGrid, IconSquare } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { TileSize } from '../model/wall-layout'

const SIZE_ICONS = { small: IconGridDots, medium: IconLayoutGrid, large: IconSquare }

/** How large the tiles are. */
export function TileSizes({ size, onChange }: { size: TileSize; onChange: (size: TileSize) => void }) {
  const { t } = useTranslation('data')
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('gallery.size.title')}
      value={size}
      onChange={(value) => onChange(value as TileSize)}
      data={(['small', 'medium', 'large'] as const).map((value) => {
        const Icon = SIZE_ICONS[value]
        return {
          value,
          label: (
            <Tooltip label={t(`gallery.size.${value}`)}>
              <Center>
                <Icon size={14} aria-hidden />
                <VisuallyHidden>{t(`gallery.size.${value}`)}</VisuallyHidden>
              </Center>
            </Tooltip>
          ),
        }
      })}
    />
  )
}
