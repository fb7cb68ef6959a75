import { type Outline, pointsOf } from '../../../canvas/annotation-outline'
import type { DrawnShape, ShapeChange } from '../model/shape-changes'
import classes from './shape-layer.module.css'

interface ShapeLayerProps {
  shapes: readonly DrawnShape[]
  /** Both states lie over each other: what changed is drawn as it was, too, but fainter. */
  isOverlaid?: boolean
  /** Height of names in the picture's pixels; none without it. */
  text_px?: number | undefined
}

/** Shapes of a comparison, to be put into a drawing whose units are the picture's pixels. What changed lies on top. */
export function ShapeLayer({ shapes, isOverlaid = false, text_px }: ShapeLayerProps) {
  const inOrder = [...shapes].sort((one, other) => Number(one.change !== 'same') - Number(other.change !== 'same'))
  return inOrder.map((shape, index) => {
    const path = pathOf(shape)
    const isFaint = isOverlaid && shape.change === 'changed' && shape.side === 'before'
    const points = pointsOf(shape)
    const [x = 0, y = 0] = points.reduce((top, point) => (point[1] < top[1] ? point : top), points[0] ?? [0, 0])
    return (
      <g key={index} className={classes.shape} data-change={shape.change} data-filled={shape.isFilled} data-faint={isFaint || undefined}>
        <path className={classes.halo} d={path} />
        <path className={classes.line} d={path} />
        {shape.dots?.map(({ at: [left, top], isSeen }, place) => (
          // A line without length is a dot that is as large from near as from afar.
          <g key={place} className={classes.dot} data-hidden={!isSeen || undefined}>
            <path className={classes.rim} d={`M${left} ${top}h0`} />
            <path className={classes.core} d={`M${left} ${top}h0`} />
          </g>
        ))}
        {text_px !== undefined && shape.change !== 'same' && !isFaint && (
          <text className={classes.name} x={x} y={Math.max(text_px, y - text_px / 3)} fontSize={text_px} vectorEffect="non-scaling-stroke">
            {isOverlaid ? shape.words : shape.label}
          </text>
        )}
      </g>
    )
  })
}

function pathOf({ lines, isClosed }: Outline): string {
  return lines.map((line) => `M${line.map((point) => point.join(' ')).join('L')}${isClosed ? 'Z' : ''}`).join('')
}

/** How a change is drawn, for legends and lists. */
export function LineSample({ change }: { change: ShapeChange }) {
  return (
    <svg className={classes.sample} viewBox="0 0 34 14" aria-hidden>
      <g className={classes.shape} data-change={change}>
        <path className={classes.line} d="M4 7H30" />
      </g>
    </svg>
  )
}
