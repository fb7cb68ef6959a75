/** Where the keys lead from a cell of the grid. Pure. */

/** Column 0 is the target's, which stands in front; the others follow from 1 on. */
export interface Cursor {
  place: number
  column: number
}

export interface GridSize {
  rows: number
  /** Besides the target's. */
  columns: number
  /** Rows that are seen at once. */
  leap: number
}

/** As much of a key press as leads somewhere. */
export interface Pressed {
  key: string
  ctrlKey?: boolean
  metaKey?: boolean
}

const clamp = (value: number, last: number) => Math.min(Math.max(0, last), Math.max(0, value))

/** The cell that a key leads to; null for a key that leads nowhere. As grids do: Home and End go along the row, with Ctrl along the table. */
export function movedBy({ key, ctrlKey, metaKey }: Pressed, from: Cursor, { rows, columns, leap }: GridSize): Cursor | null {
  const isFar = Boolean(ctrlKey || metaKey)
  const far: Record<string, Cursor> = {
    Home: { place: 0, column: 0 },
    End: { place: rows - 1, column: columns },
    ArrowUp: { place: 0, column: from.column },
    ArrowDown: { place: rows - 1, column: from.column },
    ArrowLeft: { place: from.place, column: 0 },
    ArrowRight: { place: from.place, column: columns },
  }
  const near: Record<string, Cursor> = {
    Home: { place: from.place, column: 0 },
    End: { place: from.place, column: columns },
    ArrowUp: { place: from.place - 1, column: from.column },
    ArrowDown: { place: from.place + 1, column: from.column },
    ArrowLeft: { place: from.place, column: from.column - 1 },
    ArrowRight: { place: from.place, column: from.column + 1 },
    PageUp: { place: from.place - leap, column: from.column },
    PageDown: { place: from.place + leap, column: from.column },
  }
  const to = (isFar ? far : near)[key]
  return to ? { place: clamp(to.place, rows - 1), column: clamp(to.column, columns) } : null
}
