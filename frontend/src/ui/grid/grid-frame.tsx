import { Skeleton } from '@mantine/core'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'

import { GridHead, type HeadOf } from './grid-head'
import classes from './grid.module.css'
import { type Grid, HEAD_PX } from './use-grid'

interface GridFrameProps {
  frame: RefObject<HTMLDivElement | null>
  grid: Grid
  /** What the table is called. */
  label: string
  target: string | null
  isMultiselectable?: boolean
  /** Nothing is known yet, not even how many rows there are. */
  isPending?: boolean
  head?: HeadOf
  onKeyDown: (event: KeyboardEvent) => void
  /** A row at its place; null while it is not loaded. */
  line: (place: number, top_px: number) => ReactNode
}

/** A table that scrolls in both directions under a head that stays, and of which only what is in sight exists. */
export function GridFrame({
  frame,
  grid,
  label,
  target,
  isMultiselectable = false,
  isPending = false,
  head,
  onKeyDown,
  line,
}: GridFrameProps) {
  const { from, to, row_px } = grid
  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return (
    <div
      ref={frame}
      className={classes.frame}
      style={{ maxHeight: grid.max_px }}
      role="grid"
      aria-multiselectable={isMultiselectable || undefined}
      aria-label={label}
      aria-rowcount={grid.total + 1}
      aria-colcount={grid.num_columns + 1}
      tabIndex={-1}
      onScroll={grid.follow}
      onKeyDown={onKeyDown}
    >
      <div style={grid.size} className={classes.content} role="presentation">
        <GridHead target={target} columns={grid.shown} target_px={grid.target_px} head={head} />
        {isPending &&
          Array.from({ length: 12 }, (_, index) => (
            <Skeleton key={index} height={row_px - 8} pos="absolute" top={HEAD_PX + index * row_px + 4} left={8} right={8} w="auto" />
          ))}
        {places.map((place) => {
          const top_px = grid.topOf(place)
          return (
            line(place, top_px) ?? (
              <Skeleton
                key={place}
                data-index={place}
                height={row_px - 8}
                pos="absolute"
                top={top_px + 4}
                left={8}
                w={Math.max(200, grid.width_px - 16)}
              />
            )
          )
        })}
      </div>
    </div>
  )
}
