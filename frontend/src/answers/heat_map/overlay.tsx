import { useMemo } from 'react'

import type { OverlayProps } from '../kind'
import { type HeatMap, heatPixels } from './heat'
import classes from './overlay.module.css'
import { useIsShown } from './view'

/** Where a picture is unlike the normal ones, over it; it can be switched off. */
export function Overlay({ annotations, width_px, height_px }: OverlayProps) {
  const [isShown] = useIsShown()
  const map = annotations.find(({ heat_map }) => heat_map)?.heat_map
  return isShown && map ? <Heat map={map} width_px={width_px} height_px={height_px} /> : null
}

/** The map, laid over a picture that lies below with `object-fit: contain`. */
function Heat({ map, width_px, height_px }: { map: HeatMap; width_px: number; height_px: number }) {
  const url = useMemo(() => drawn(map), [map])
  if (!url) return null
  return (
    <svg className={classes.root} viewBox={`0 0 ${width_px} ${height_px}`} aria-hidden>
      <image href={url} width={width_px} height={height_px} preserveAspectRatio="none" />
    </svg>
  )
}

function drawn(map: HeatMap): string | null {
  const pixels = heatPixels(map)
  const canvas = document.createElement('canvas')
  canvas.width = map.width
  canvas.height = map.height
  const context = canvas.getContext('2d')
  if (!pixels || !context) return null
  context.putImageData(new ImageData(pixels, map.width, map.height), 0, 0)
  return canvas.toDataURL()
}
