/** Paints the matrix onto a canvas: a hundred labels are ten thousand cells, too many for elements. */

import { chartColors, withOpacity, type Scheme } from '../palette/palette'
import { NAME_GAP_PX, rowShares, type Cell, type MatrixLayout } from './matrix'

export interface PaintOptions {
  labels: readonly string[]
  confusion: readonly (readonly number[])[]
  layout: MatrixLayout
  scheme: Scheme
  cursor: Cell | null
}

const FONT = '12px system-ui, sans-serif'

/** The width of the widest name. */
export function widestName(labels: readonly string[]): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = FONT
  return Math.ceil(Math.max(0, ...labels.map((label) => context.measureText(label).width)))
}

/** Draws everything anew; about 3 ms for a hundred labels. */
export function paintMatrix(canvas: HTMLCanvasElement, options: PaintOptions): void {
  const { layout } = options
  const ratio = window.devicePixelRatio || 1
  const side = layout.size_px
  if (canvas.width !== Math.round(side * ratio)) {
    canvas.width = Math.round(side * ratio)
    canvas.height = Math.round(side * ratio)
  }
  const context = canvas.getContext('2d')
  if (!context) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, side, side)
  paintCells(context, options)
  paintLabels(context, options)
  paintCursor(context, options)
}

function paintCells(context: CanvasRenderingContext2D, { confusion, layout, scheme }: PaintOptions): void {
  const { good, bad, grid } = chartColors(scheme)
  const gap = layout.cell_px > 8 ? 1 : 0
  const shares = rowShares(confusion)
  context.font = FONT
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  confusion.forEach((row, truth) => {
    row.forEach((count, answer) => {
      const x = layout.gutter_px + answer * layout.cell_px
      const y = layout.gutter_px + truth * layout.cell_px
      const share = shares[truth]?.[answer] ?? 0
      // The root lifts rare mistakes out of the background: they are what one looks for.
      context.fillStyle = count ? withOpacity(truth === answer ? good : bad, 0.12 + 0.83 * Math.sqrt(share)) : withOpacity(grid, 0.45)
      context.fillRect(x, y, layout.cell_px - gap, layout.cell_px - gap)
      if (!layout.hasCounts || !count) return
      const isDeep = share > 0.3
      context.fillStyle = isDeep === (scheme === 'light') ? '#ffffff' : '#10151c'
      context.fillText(String(count), x + layout.cell_px / 2, y + layout.cell_px / 2)
    })
  })
}

function paintLabels(context: CanvasRenderingContext2D, { labels, layout, scheme }: PaintOptions): void {
  context.font = FONT
  context.fillStyle = chartColors(scheme).text
  context.textBaseline = 'middle'
  // Names that fit above their columns need not be turned.
  const areNamesFlat = labels.every((label) => context.measureText(label).width <= layout.cell_px - 4)
  labels.forEach((label, index) => {
    if (index % layout.labelStep) return
    const middle = layout.gutter_px + (index + 0.5) * layout.cell_px
    const name = shortened(context, label, layout.gutter_px - NAME_GAP_PX + 1)
    context.textAlign = 'right'
    context.fillText(name, layout.gutter_px - 6, middle)
    if (areNamesFlat) {
      context.textAlign = 'center'
      context.fillText(name, middle, layout.gutter_px - 12)
      return
    }
    context.save()
    context.translate(middle, layout.gutter_px - 6)
    context.rotate(-Math.PI / 2)
    context.textAlign = 'left'
    context.fillText(name, 0, 0)
    context.restore()
  })
}

function paintCursor(context: CanvasRenderingContext2D, { layout, cursor, scheme }: PaintOptions): void {
  if (!cursor) return
  const x = layout.gutter_px + cursor.answer * layout.cell_px
  const y = layout.gutter_px + cursor.truth * layout.cell_px
  context.strokeStyle = scheme === 'light' ? '#1b2430' : '#f1f5f9'
  context.lineWidth = 2
  context.strokeRect(x, y, Math.max(4, layout.cell_px - 1), Math.max(4, layout.cell_px - 1))
}

function shortened(context: CanvasRenderingContext2D, text: string, width_px: number): string {
  if (context.measureText(text).width <= width_px) return text
  let end = text.length - 1
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width_px) end -= 1
  return `${text.slice(0, end)}…`
}
