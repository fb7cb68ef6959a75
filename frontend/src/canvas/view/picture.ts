/** The picture in halves of halves, so that a large one is drawn from about as many pixels as the screen shows. */
import type { Bounds } from '../coordinates'
import type { Pen } from '../shape'

const SMALLEST_SIDE = 512
/** From this zoom on pixels are shown as squares. */
const SQUARES_ZOOM = 2

type Level = HTMLImageElement | HTMLCanvasElement

export class Picture {
  private readonly levels: Level[] = []

  constructor(
    private readonly width: number,
    private readonly height: number,
    image: HTMLImageElement | null,
  ) {
    if (!image) return
    this.levels.push(image)
    for (let side = Math.max(width, height) / 2; side >= SMALLEST_SIDE; side /= 2) {
      const half = halved(
        this.levels.at(-1) as Level,
        Math.round((side / Math.max(width, height)) * width),
        Math.round((side / Math.max(width, height)) * height),
      )
      if (!half) return
      this.levels.push(half)
    }
  }

  /** Paints the part within the bounds; `zoom` counts device pixels. */
  paint(pen: Pen, { minX, minY, maxX, maxY }: Bounds, zoom: number): void {
    const index = Math.min(Math.max(Math.floor(-Math.log2(zoom)), 0), this.levels.length - 1)
    const level = this.levels[index]
    const [x, y] = [Math.max(minX, 0), Math.max(minY, 0)]
    const [width, height] = [Math.min(maxX, this.width) - x, Math.min(maxY, this.height) - y]
    if (!level || width <= 0 || height <= 0) return
    const [scaleX, scaleY] = [sizeOf(level).width / this.width, sizeOf(level).height / this.height]
    // Models see transparent parts on white.
    pen.fillStyle = '#fff'
    pen.fillRect(x, y, width, height)
    pen.imageSmoothingEnabled = zoom < SQUARES_ZOOM
    pen.drawImage(level, x * scaleX, y * scaleY, width * scaleX, height * scaleY, x, y, width, height)
  }
}

const sizeOf = (level: Level) =>
  level instanceof HTMLImageElement
    ? { width: level.naturalWidth, height: level.naturalHeight }
    : { width: level.width, height: level.height }

function halved(from: Level, width: number, height: number): HTMLCanvasElement | null {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  context.drawImage(from, 0, 0, width, height)
  return canvas
}
