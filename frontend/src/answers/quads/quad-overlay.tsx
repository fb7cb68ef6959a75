import classes from './quad-overlay.module.css'

export interface OverlayLine {
  points: readonly (readonly [number, number])[]
  text: string
  /** Any CSS colour. */
  color: string
  /** Drawn dashed: what a model missed. */
  isDashed?: boolean
}

interface QuadOverlayProps {
  lines: readonly OverlayLine[]
  /** Of the picture, in the lines' own pixels. */
  width_px: number
  height_px: number
  /** What lines say; thumbnails are too small for it. */
  hasTexts?: boolean | undefined
}

/** Lines of text over a picture that lies below with `object-fit: contain`. */
export function QuadOverlay({ lines, width_px, height_px, hasTexts = false }: QuadOverlayProps) {
  const text_px = Math.max(width_px, height_px) / 36
  return (
    <svg className={classes.root} viewBox={`0 0 ${width_px} ${height_px}`} aria-hidden>
      {lines.map(({ points, text, color, isDashed }, place) => (
        <g key={place} style={{ color }}>
          <polygon
            className={classes.line}
            points={points.map((point) => point.join()).join(' ')}
            strokeDasharray={isDashed ? '5 3' : undefined}
          />
          {hasTexts && (
            <text
              className={classes.text}
              x={Math.min(...points.map(([x]) => x))}
              y={Math.max(text_px, Math.min(...points.map(([, y]) => y)) - text_px / 4)}
              fontSize={text_px}
            >
              {text}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}
