/** Pictures: RGB, uint8, height x width x 3, of any size. */
import type { Item } from '../../api'
import type { ImageDecode } from '../../manifest'
import { type ItemKind, oneByOne, type Piece } from '../kind'

const GREY = 128

export const KIND: ItemKind = {
  files: () => [],

  open(manifest, _files, platform) {
    const { min_side_px: side } = manifest.decode as ImageDecode
    const input = manifest.inputs[0]?.name ?? ''
    async function read(item: Item): Promise<Piece> {
      const { rgb, width, height, widthPx, heightPx } = await platform.picture(item, side)
      const tensor = new platform.ort.Tensor('uint8', rgb, [1, height, width, 3])
      return { feeds: { [input]: tensor }, count: 1, size: { width: widthPx, height: heightPx } }
    }
    return {
      typical: () => read({ data: new Uint8Array(side * side * 3).fill(GREY), width: side, height: side }),
      sample: read,
      item: (bytes) => bytes,
      pieces: (items) => oneByOne(items, read),
    }
  },
}
