import { useModality } from '../lib/project/task'
import { cellsOfText } from '../lib/table/row-cells'
import { PictureThumb } from './picture-thumb'
import { RowThumb } from './row-thumb'
import { TextThumb } from './text-thumb'

export interface ShownItem {
  /** Where a text begins; null of what is none. */
  text: string | null
  thumbnail_url: string | null
  /** Cells by column; absent or null of what is no row. */
  row?: { cells: Record<string, string> } | null | undefined
}

interface ItemThumbProps {
  item: ShownItem
  alt: string
  /** Width of a picture in pixels; a text takes more, as it is read. All there is without one. */
  size?: number
}

/** What a card or a line shows of an item: the thumbnail of a picture, the first lines of a text, the first cells of a row. */
export function ItemThumb({ item, alt, size }: ItemThumbProps) {
  const isRow = useModality() === 'tabular'
  const cells = item.row?.cells ?? (isRow ? cellsOfText(item.text) : null)
  if (cells) {
    return size ? <RowThumb cells={cells} lines={linesBeside(size)} width={size * 2.4} /> : <RowThumb cells={cells} />
  }
  if (item.text === null) return <PictureThumb src={item.thumbnail_url ?? ''} alt={alt} {...(size ? { size } : {})} />
  return size ? <TextThumb text={item.text} lines={linesBeside(size)} width={size * 2.4} /> : <TextThumb text={item.text} />
}

/** As many lines as stand beside a picture of that size. */
function linesBeside(size_px: number): number {
  return Math.max(1, Math.floor((size_px - 16) / 20.3))
}
