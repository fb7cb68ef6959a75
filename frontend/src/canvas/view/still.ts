/**
 * A bitmap of what does not move, somewhat larger than the screen. While the picture is panned or zoomed the bitmap is moved and
 * stretched, which costs the same for ten shapes and for ten thousand; it is painted anew when it is out of date, when its edge
 * comes into sight, and for sharpness a moment after the last zoom.
 */
import { type Bounds, type Camera, encloses, type Size, visibleBounds } from '../coordinates'
import type { Pen } from '../shape'

/** Share of the screen that is painted beyond each edge. */
const MARGIN = 0.25
/** How far the bitmap may be stretched while a zoom lasts. */
const STRETCH = 4
/** While a zoom lasts the bitmap is painted no more often, though its edge may be in sight. */
const ZOOM_PAUSE_MS = 250

export class Still {
  private readonly canvas = document.createElement('canvas')
  private camera: Camera | null = null
  private within: Bounds = { minX: 0, minY: 0, maxX: 0, maxY: 0 }
  private pixelRatio = 1
  private paintedAt = 0

  /** @param paint paints what lies within the bounds with a pen whose unit is the picture's pixel. */
  constructor(private readonly paint: (pen: Pen, within: Bounds) => void) {}

  /** What was painted is no longer true. */
  invalidate(): void {
    this.camera = null
  }

  /** Whether the bitmap is painted for the zoom at which it is shown. */
  isSharp(camera: Camera): boolean {
    return this.camera?.zoom === camera.zoom
  }

  /** Draws onto the screen; `pen` has the unit of a CSS pixel. */
  draw(pen: Pen, camera: Camera, screen: Size, pixelRatio: number): void {
    if (!this.isUsable(camera, screen, pixelRatio)) this.render(camera, screen, pixelRatio)
    const painted = this.camera
    if (!painted) return
    const scale = camera.zoom / painted.zoom
    const onPixel = (value: number) => (scale === 1 ? Math.round(value * pixelRatio) / pixelRatio : value)
    const x = onPixel(camera.offsetX + this.within.minX * camera.zoom)
    const y = onPixel(camera.offsetY + this.within.minY * camera.zoom)
    pen.imageSmoothingEnabled = scale !== 1
    pen.drawImage(this.canvas, x, y, (this.canvas.width / pixelRatio) * scale, (this.canvas.height / pixelRatio) * scale)
  }

  private isUsable(camera: Camera, screen: Size, pixelRatio: number): boolean {
    if (!this.camera || pixelRatio !== this.pixelRatio) return false
    const scale = camera.zoom / this.camera.zoom
    const isZooming = scale !== 1 && performance.now() - this.paintedAt < ZOOM_PAUSE_MS
    return scale < STRETCH && scale > 1 / STRETCH && (isZooming || encloses(this.within, visibleBounds(camera, screen)))
  }

  private render(camera: Camera, screen: Size, pixelRatio: number): void {
    const [marginX, marginY] = [Math.round(screen.width * MARGIN), Math.round(screen.height * MARGIN)]
    const size = { width: screen.width + 2 * marginX, height: screen.height + 2 * marginY }
    const [width, height] = [Math.ceil(size.width * pixelRatio), Math.ceil(size.height * pixelRatio)]
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height })
    const pen = this.canvas.getContext('2d')
    if (!pen) return
    const shifted = { zoom: camera.zoom, offsetX: camera.offsetX + marginX, offsetY: camera.offsetY + marginY }
    this.camera = camera
    this.paintedAt = performance.now()
    this.pixelRatio = pixelRatio
    this.within = visibleBounds(shifted, size)
    pen.setTransform(1, 0, 0, 1, 0, 0)
    pen.clearRect(0, 0, width, height)
    const scale = camera.zoom * pixelRatio
    pen.setTransform(scale, 0, 0, scale, shifted.offsetX * pixelRatio, shifted.offsetY * pixelRatio)
    this.paint(pen, this.within)
  }
}
