import type { CSSProperties, ReactNode } from 'react'

import type { Column } from '../../lib/table/columns'
import classes from './grid.module.css'
import type { Grid } from './use-grid'

export interface ReadCell {
  content: ReactNode
  /** The whole text, where the line is cut off. */
  title?: string | undefined
  /** What is special about it, for its looks. */
  mark?: string | undefined
}

interface ReadLineProps {
  grid: Grid
  place: number
  top_px: number
  name: string
  /** What stands before the cells. */
  front: ReactNode
  cell: (column: Column) => ReadCell
  mark?: string
}

/** A row of a grid that is only read. */
export function ReadLine({ grid, place, top_px, name, front, cell, mark }: ReadLineProps) {
  const tabStop = grid.tabStopOf(place)
  const size: CSSProperties = { top: top_px, height: grid.row_px }
  return (
    <div
      className={classes.line}
      role="row"
      aria-rowindex={place + 2}
      aria-label={name}
      data-index={place}
      data-read
      data-mark={mark}
      style={size}
    >
      <div
        className={classes.pinned}
        role="gridcell"
        aria-colindex={1}
        tabIndex={tabStop === 0 ? 0 : -1}
        style={{ width: grid.target_px }}
        data-column={0}
        onFocus={() => grid.setActive({ place, column: 0 })}
      >
        {front}
      </div>
      {grid.shown.map(({ column, place: number, left_px, width_px }) => {
        const { content, title, mark: special } = cell(column)
        return (
          <div
            key={column.name}
            className={classes.cell}
            role="gridcell"
            aria-colindex={number + 1}
            tabIndex={tabStop === number ? 0 : -1}
            style={{ left: left_px, width: width_px }}
            data-column={number}
            data-kind={column.kind}
            data-ignored={column.role === 'ignored' || undefined}
            data-mark={special}
            title={title}
            dir="auto"
            onFocus={() => grid.setActive({ place, column: number })}
          >
            {content}
          </div>
        )
      })}
    </div>
  )
}
