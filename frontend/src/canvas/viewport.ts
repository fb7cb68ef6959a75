/** Where the picture stands on the screen, and the ways to move it. */
import {
  type Bounds,
  type Camera,
  cameraToFit,
  type PicturePoint,
  type ScreenPoint,
  type Size,
  toPicture,
  toScreen,
  visibleBounds,
  withinReach,
  zoomedAbout,
} from './coordinates'
import { Signal } from './signal'

/** The smallest zoom shows the picture at this share of its fit. */
const SMALLEST_OF_FIT = 0.25

export class Viewport {
  readonly changed = new Signal()
  camera: Camera = { zoom: 1, offsetX: 0, offsetY: 0 }
  screen: Size = { width: 800, height: 600 }
  /** Follows the window's size until somebody zooms or pans. */
  private isFitted = true

  constructor(public picture: Size) {
    this.fit()
  }

  toScreen(point: PicturePoint): ScreenPoint {
    return toScreen(this.camera, point)
  }

  toPicture(point: ScreenPoint): PicturePoint {
    return toPicture(this.camera, point)
  }

  get visible(): Bounds {
    return visibleBounds(this.camera, this.screen)
  }

  get pictureBounds(): Bounds {
    return { minX: 0, minY: 0, maxX: this.picture.width, maxY: this.picture.height }
  }

  /** Screen pixels as a length in the picture. */
  length(screenPx: number): number {
    return screenPx / this.camera.zoom
  }

  /** The point of the picture that is nearest; points within `snapPx` of the border on the screen go onto it. */
  clamped(point: PicturePoint, snapPx = 0): PicturePoint {
    const near = this.length(snapPx)
    const one = (value: number, end: number) => (value < near ? 0 : value > end - near ? end : value)
    return { x: one(point.x, this.picture.width), y: one(point.y, this.picture.height) }
  }

  resize(screen: Size): void {
    if (screen.width === this.screen.width && screen.height === this.screen.height) return
    const shift = { x: (screen.width - this.screen.width) / 2, y: (screen.height - this.screen.height) / 2 }
    this.screen = screen
    if (this.isFitted) this.fit()
    else this.panBy(shift)
  }

  setPicture(picture: Size): void {
    this.picture = picture
    this.fit()
  }

  zoomBy(factor: number, about: ScreenPoint = this.middle): void {
    this.move(zoomedAbout(this.camera, about, factor, this.fitZoom * SMALLEST_OF_FIT))
  }

  /** One pixel of the picture is one of the screen. */
  actualSize(): void {
    this.zoomBy(1 / this.camera.zoom)
  }

  panBy(delta: ScreenPoint): void {
    this.move({ ...this.camera, offsetX: this.camera.offsetX + delta.x, offsetY: this.camera.offsetY + delta.y })
  }

  fit(): void {
    this.camera = cameraToFit(this.pictureBounds, this.screen)
    this.isFitted = true
    this.changed.emit()
  }

  /** Shows a part of the picture, not larger than eight times. */
  fitTo(bounds: Bounds): void {
    this.move(cameraToFit(bounds, this.screen, 8))
  }

  /** Moves just enough that the point stands well inside the screen. */
  reveal(point: PicturePoint): void {
    const at = this.toScreen(point)
    const inset = Math.min(40, this.screen.width / 4, this.screen.height / 4)
    const by = (value: number, end: number) => (value < inset ? inset - value : value > end - inset ? end - inset - value : 0)
    const delta = { x: by(at.x, this.screen.width), y: by(at.y, this.screen.height) }
    if (delta.x !== 0 || delta.y !== 0) this.panBy(delta)
  }

  private get middle(): ScreenPoint {
    return { x: this.screen.width / 2, y: this.screen.height / 2 }
  }

  private get fitZoom(): number {
    return cameraToFit(this.pictureBounds, this.screen).zoom
  }

  private move(camera: Camera): void {
    this.camera = withinReach(camera, this.picture, this.screen)
    this.isFitted = false
    this.changed.emit()
  }
}
