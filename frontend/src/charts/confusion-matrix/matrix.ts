/** Maths of the confusion matrix: rows are truth, columns are answers. */

export interface Cell {
  truth: number
  answer: number
}

export interface MatrixLayout {
  cell_px: number
  /** Room for the row names on the left and for the column names above. */
  gutter_px: number
  size_px: number
  /** Whether a cell is large enough to hold its count. */
  hasCounts: boolean
  /** Every how manieth label is written. */
  labelStep: number
}

const MAX_CELL_PX = 56
const MIN_LABEL_PX = 13
/** Beside a name, towards the cells and towards the edge. */
export const NAME_GAP_PX = 12

/** Fits a square matrix into a width beside names of some width; cells never grow past a comfortable size. */
export function matrixLayout(numLabels: number, width_px: number, longest_px: number): MatrixLayout {
  const gutter_px = Math.round(Math.min(Math.max(longest_px + NAME_GAP_PX, 36), 130, width_px * 0.3))
  const cell_px = Math.max(3, Math.min(MAX_CELL_PX, (width_px - gutter_px) / Math.max(1, numLabels)))
  return {
    cell_px,
    gutter_px,
    size_px: Math.ceil(gutter_px + cell_px * numLabels),
    hasCounts: cell_px >= 24,
    labelStep: Math.ceil(MIN_LABEL_PX / cell_px),
  }
}

/** The cell below a point of the drawing, or null beside the matrix. */
export function cellAt(layout: MatrixLayout, numLabels: number, x_px: number, y_px: number): Cell | null {
  const answer = Math.floor((x_px - layout.gutter_px) / layout.cell_px)
  const truth = Math.floor((y_px - layout.gutter_px) / layout.cell_px)
  const isInside = (index: number) => index >= 0 && index < numLabels
  return isInside(answer) && isInside(truth) ? { truth, answer } : null
}

/** Where an arrow key, Home or End leads; null for any other key. */
export function movedCell(cell: Cell, key: string, numLabels: number): Cell | null {
  const clamp = (index: number) => Math.min(numLabels - 1, Math.max(0, index))
  switch (key) {
    case 'ArrowLeft':
      return { ...cell, answer: clamp(cell.answer - 1) }
    case 'ArrowRight':
      return { ...cell, answer: clamp(cell.answer + 1) }
    case 'ArrowUp':
      return { ...cell, truth: clamp(cell.truth - 1) }
    case 'ArrowDown':
      return { ...cell, truth: clamp(cell.truth + 1) }
    case 'Home':
      return { ...cell, answer: 0 }
    case 'End':
      return { ...cell, answer: numLabels - 1 }
    default:
      return null
  }
}

/** Share of each cell in its row, 0..1; rows without items are zero. */
export function rowShares(confusion: readonly (readonly number[])[]): number[][] {
  return confusion.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0)
    return row.map((count) => (total ? count / total : 0))
  })
}

export interface Confusion extends Cell {
  count: number
  share_fraction: number
}

/** The most frequent mistakes, most frequent first. */
export function topConfusions(confusion: readonly (readonly number[])[], limit: number): Confusion[] {
  const shares = rowShares(confusion)
  const mistakes = confusion.flatMap((row, truth) =>
    row.flatMap((count, answer) =>
      count > 0 && truth !== answer ? [{ truth, answer, count, share_fraction: shares[truth]?.[answer] ?? 0 }] : [],
    ),
  )
  return mistakes.sort((a, b) => b.count - a.count || b.share_fraction - a.share_fraction).slice(0, limit)
}
