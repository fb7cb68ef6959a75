import { useId } from 'react'

import classes from './area-layer.module.css'
import { pathOf, placeIn, type Sides } from './areas'
import type { MaskTiles } from '../canvas/shapes/mask/tiles'
import { IGNORED_COLOR } from '../lib/labels/ignored'

export interface DrawnArea {
  area: MaskTiles
  color: string
  /** Stands in the area, where names are shown. */
  name?: string
  /** Of an area that does not count. */
  isHatched?: boolean
}

interface AreaLayerProps extends Sides {
  areas: readonly DrawnArea[]
  /** Pixels of the picture to a cell's side. */
  step: number
  hasNames?: boolean | undefined
  /** Areas that fill the picture without a gap: borders would hide the narrow ones. */
  isPlain?: boolean
}

/** Translucent areas with their borders over a picture that lies below with `object-fit: contain`. */
export function AreaLayer({ areas, step, width_px, height_px, hasNames = false, isPlain = false }: AreaLayerProps) {
  const hatching = useId()
  const text_px = Math.max(width_px, height_px) / 44
  return (
    <svg className={classes.root} data-plain={isPlain || undefined} viewBox={`0 0 ${width_px} ${height_px}`} aria-hidden>
      {areas.some(({ isHatched }) => isHatched) && <Hatching id={hatching} period={Math.max(width_px, height_px) / 60} />}
      {areas.map(({ area, color, isHatched }, index) => (
        <path
          key={index}
          className={classes.area}
          style={isHatched ? { color, fill: `url(#${hatching})`, fillOpacity: 1 } : { color }}
          fillRule="evenodd"
          d={pathOf(area, step)}
        />
      ))}
      {hasNames &&
        areas.map(({ area, name }, index) => {
          const place = placeIn(area, step)
          return (
            name &&
            place && (
              <text key={index} className={classes.name} {...place} fontSize={text_px}>
                {name}
              </text>
            )
          )
        })}
    </svg>
  )
}

/** Diagonal lines, to fill areas with; `period` in pixels of the picture. */
function Hatching({ id, period }: { id: string; period: number }) {
  return (
    <defs>
      <pattern id={id} width={period} height={period} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={period} height={period} fill={IGNORED_COLOR} fillOpacity={0.3} />
        <rect width={period * 0.4} height={period} fill={IGNORED_COLOR} />
      </pattern>
    </defs>
  )
}
