/** The pixels of a picture that the page has loaded. */
import type { Size } from '../coordinates'
import type { Pixels } from '../superpixels/slic'
import type { CopySource } from '../superpixels/superpixels'
import type { PixelSource } from './color-tiles'

export class PictureSource implements PixelSource, CopySource {
  readonly width: number
  readonly height: number
  private readonly canvas = document.createElement('canvas')
  private readonly pen = this.canvas.getContext('2d', { willReadFrequently: true })

  constructor(private readonly image: HTMLImageElement) {
    this.width = image.naturalWidth
    this.height = image.naturalHeight
  }

  read(x: number, y: number, width: number, height: number): Uint8ClampedArray {
    return this.drawn({ x, y, width, height }, { width, height })
  }

  /** All of the picture, smaller. */
  copy(size: Size): Pixels {
    return { ...size, data: this.drawn({ x: 0, y: 0, width: this.width, height: this.height }, size) }
  }

  private drawn(part: Size & { x: number; y: number }, { width, height }: Size): Uint8ClampedArray {
    const { canvas, pen } = this
    if (!pen) throw new Error('this browser cannot draw')
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    // Models see transparent parts on white.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, width, height)
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(this.image, part.x, part.y, part.width, part.height, 0, 0, width, height)
    return pen.getImageData(0, 0, width, height).data
  }
}
