import classes from './box-overlay.module.css'
import { namePlaces } from './name-places'

export interface OverlayBox {
  x: number
  y: number
  width: number
  height: number
  label: string
  /** Any CSS colour; the outline of a person's box is white without one. */
  color?: string | undefined
  /** Drawn dashed: what a model predicted. */
  isDashed?: boolean | undefined
  /** Stands out among the others. */
  isStrong?: boolean | undefined
}

interface BoxOverlayProps {
  boxes: readonly OverlayBox[]
  /** Of the picture, in the boxes' own pixels. */
  width_px: number
  height_px: number
  /** Names in the drawing; thumbnails are too small for them. */
  hasNames?: boolean | undefined
}

/** Boxes over a picture that lies below with `object-fit: contain`. */
export function BoxOverlay({ boxes, width_px, height_px, hasNames = false }: BoxOverlayProps) {
  const text_px = Math.max(width_px, height_px) / 32
  const names = hasNames ? namePlaces(boxes, text_px) : []
  return (
    <svg className={classes.root} viewBox={`0 0 ${width_px} ${height_px}`} aria-hidden>
      {boxes.map((box, index) => (
        <g key={index} style={{ color: box.color }} data-strong={box.isStrong || undefined}>
          <rect className={classes.halo} x={box.x} y={box.y} width={box.width} height={box.height} />
          <rect
            className={classes.box}
            x={box.x}
            y={box.y}
            width={box.width}
            height={box.height}
            strokeDasharray={box.isDashed ? '5 3' : undefined}
          />
        </g>
      ))}
      {hasNames &&
        boxes.map((box, index) => (
          <text key={index} style={{ color: box.color }} className={classes.name} x={box.x} y={names[index]} fontSize={text_px}>
            {box.label}
          </text>
        ))}
    </svg>
  )
}
