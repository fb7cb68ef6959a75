/** The pixels of a picture that the page has loaded. */
import type { PixelSource } from './color-tiles'

export class PictureSource implements PixelSource {
  readonly width: number
  readonly height: number
  private readonly canvas = document.createElement('canvas')
  private readonly pen = this.canvas.getContext('2d', { willReadFrequently: true })

  constructor(private readonly image: HTMLImageElement) {
    this.width = image.naturalWidth
    this.height = image.naturalHeight
  }

  read(x: number, y: number, width: number, height: number): Uint8ClampedArray {
    const { canvas, pen } = this
    if (!pen) throw new Error('this browser cannot draw')
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    // Models see transparent parts on white.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, width, height)
    pen.drawImage(this.image, x, y, width, height, 0, 0, width, height)
    return pen.getImageData(0, 0, width, height).data
  }
}
