import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import classes from './stage.module.css'

const STEP = 1.5

interface ZoomBarProps {
  scale: number
  zoomBy: (factor: number) => void
  fit: () => void
}

/** Nearer, farther, the whole; in a corner over the picture. */
export function ZoomBar({ scale, zoomBy, fit }: ZoomBarProps) {
  const { t } = useTranslation('common')
  const buttons = [
    { name: 'out', Icon: IconZoomOut, isOff: scale === 1, act: () => zoomBy(1 / STEP) },
    { name: 'in', Icon: IconZoomIn, isOff: false, act: () => zoomBy(STEP) },
    { name: 'fit', Icon: IconMaximize, isOff: scale === 1, act: fit },
  ] as const
  return (
    <div className={classes.zoom} onPointerDown={(event) => event.stopPropagation()}>
      {scale > 1 && (
        <Text size="xs" c="dimmed" px={4}>
          {t('zoom.scale', { scale: scale.toFixed(1) })}
        </Text>
      )}
      {buttons.map(({ name, Icon, isOff, act }) => (
        <Tooltip key={name} label={t(`zoom.${name}`)}>
          {/* Keeps the focus where it is, so that keys go on to the next picture. */}
          <ActionIcon
            size="sm"
            aria-label={t(`zoom.${name}`)}
            disabled={isOff}
            onMouseDown={(event) => event.preventDefault()}
            onClick={act}
          >
            <Icon size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  )
}
