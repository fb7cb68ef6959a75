import classes from './area-layer.module.css'
import { pathOf, placeIn, type Sides } from './areas'
import type { MaskTiles } from '../canvas/shapes/mask/tiles'

export interface DrawnArea {
  area: MaskTiles
  color: string
  /** Stands in the area, where names are shown. */
  name?: string
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
  const text_px = Math.max(width_px, height_px) / 44
  return (
    <svg className={classes.root} data-plain={isPlain || undefined} viewBox={`0 0 ${width_px} ${height_px}`} aria-hidden>
      {areas.map(({ area, color }, index) => (
        <path key={index} className={classes.area} style={{ color }} fillRule="evenodd" d={pathOf(area, step)} />
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
