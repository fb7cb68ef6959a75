import { useItemKind } from '.'
import type { ThumbProps } from './kind'

/** What a card or a line shows of an item: the thumbnail of a picture, the first lines of a text, the first cells of a row. */
export function ItemThumb(props: ThumbProps) {
  const { Thumb } = useItemKind()
  return <Thumb {...props} />
}
