import type { ReactNode } from 'react'

import type { Scale } from '../scale/scale'
import classes from './frame.module.css'

export interface Margin {
  left: number
  right: number
  top: number
  bottom: number
}

export interface Tick {
  at_px: number
  text: string
}

/** The marks of a scale, written out. */
export function ticksOf(scale: Scale, format: (value: number) => string): Tick[] {
  return scale.ticks.map((tick) => ({ at_px: scale.toPx(tick), text: format(tick) }))
}

interface FrameProps {
  width_px: number
  height_px: number
  margin: Margin
  x: readonly Tick[]
  y: readonly Tick[]
  xTitle?: string | undefined
  yTitle?: string | undefined
  /** What is drawn, in words. */
  label: string
  /** `group` where something in the drawing can be pressed. */
  role?: 'img' | 'group'
  children: ReactNode
}

/** Of the title below the axis: one that is too long for the middle ends where the axis does. */
const LETTER_PX = 6.5

/** Axes, grid and names around a drawing. */
export function Frame({ width_px, height_px, margin, x, y, xTitle, yTitle, label, role = 'img', children }: FrameProps) {
  const bottom = height_px - margin.bottom
  const right = width_px - margin.right
  const middle = (margin.left + right) / 2
  const isLong = (xTitle?.length ?? 0) * LETTER_PX > 2 * (width_px - middle)
  return (
    <svg className={classes.root} width={width_px} height={height_px} role={role} aria-label={label}>
      {y.map((tick) => (
        <g key={tick.at_px}>
          <line className={classes.grid} x1={margin.left} x2={right} y1={tick.at_px} y2={tick.at_px} />
          <text x={margin.left - 6} y={tick.at_px} textAnchor="end" dominantBaseline="central">
            {tick.text}
          </text>
        </g>
      ))}
      {x.map((tick) => (
        <text key={tick.at_px} x={tick.at_px} y={bottom + 15} textAnchor="middle">
          {tick.text}
        </text>
      ))}
      {xTitle && (
        <text {...(isLong ? { x: right, textAnchor: 'end' } : { x: middle, textAnchor: 'middle' })} y={height_px - 3}>
          {xTitle}
        </text>
      )}
      {yTitle && (
        <text transform={`translate(11 ${(margin.top + bottom) / 2}) rotate(-90)`} textAnchor="middle">
          {yTitle}
        </text>
      )}
      {children}
    </svg>
  )
}
