/** Two coordinate spaces with distinct types: the picture's own pixels, and the pixels of the screen inside the canvas element. */

declare const space: unique symbol

interface Point {
  readonly x: number
  readonly y: number
}

/** Absolute pixels of the picture as floats, origin top left: what annotations hold. */
export type PicturePoint = Point & { readonly [space]?: 'picture' }
/** CSS pixels from the top left corner of the canvas element. */
export type ScreenPoint = Point & { readonly [space]?: 'screen' }

export interface Size {
  readonly width: number
  readonly height: number
}

/** An upright rectangle of the picture. */
export interface Bounds {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

/** Where the picture stands on the screen: `screen = picture * zoom + offset`. */
export interface Camera {
  readonly zoom: number
  readonly offsetX: number
  readonly offsetY: number
}

export const MAX_ZOOM = 64
/** Screen pixels left free around a picture that fits. */
const FIT_MARGIN = 16

export const toScreen = (camera: Camera, point: PicturePoint): ScreenPoint => ({
  x: point.x * camera.zoom + camera.offsetX,
  y: point.y * camera.zoom + camera.offsetY,
})

export const toPicture = (camera: Camera, point: ScreenPoint): PicturePoint => ({
  x: (point.x - camera.offsetX) / camera.zoom,
  y: (point.y - camera.offsetY) / camera.zoom,
})

/** The part of the picture (and of what lies around it) that the screen shows. */
export function visibleBounds(camera: Camera, screen: Size): Bounds {
  const from = toPicture(camera, { x: 0, y: 0 })
  const to = toPicture(camera, { x: screen.width, y: screen.height })
  return { minX: from.x, minY: from.y, maxX: to.x, maxY: to.y }
}

/** The camera that shows the whole rectangle in the middle of the screen. */
export function cameraToFit(bounds: Bounds, screen: Size, largestZoom = MAX_ZOOM): Camera {
  const width = Math.max(bounds.maxX - bounds.minX, 1)
  const height = Math.max(bounds.maxY - bounds.minY, 1)
  const available = { width: Math.max(screen.width - 2 * FIT_MARGIN, 1), height: Math.max(screen.height - 2 * FIT_MARGIN, 1) }
  const zoom = Math.min(available.width / width, available.height / height, largestZoom)
  return {
    zoom,
    offsetX: screen.width / 2 - ((bounds.minX + bounds.maxX) / 2) * zoom,
    offsetY: screen.height / 2 - ((bounds.minY + bounds.maxY) / 2) * zoom,
  }
}

/** Zooms by a factor and keeps the picture's point under `about` where it is. */
export function zoomedAbout(camera: Camera, about: ScreenPoint, factor: number, smallest: number): Camera {
  const zoom = Math.min(Math.max(camera.zoom * factor, Math.min(smallest, camera.zoom)), Math.max(MAX_ZOOM, camera.zoom))
  const kept = toPicture(camera, about)
  return { zoom, offsetX: about.x - kept.x * zoom, offsetY: about.y - kept.y * zoom }
}

/** Keeps a strip of the picture on the screen: nobody loses it by panning. */
export function withinReach(camera: Camera, picture: Size, screen: Size): Camera {
  const strip = Math.min(64, screen.width / 4, screen.height / 4)
  const clamp = (offset: number, length: number, available: number) =>
    Math.min(Math.max(offset, strip - length * camera.zoom), available - strip)
  return {
    zoom: camera.zoom,
    offsetX: clamp(camera.offsetX, picture.width, screen.width),
    offsetY: clamp(camera.offsetY, picture.height, screen.height),
  }
}

/** The smallest rectangle around the points; nothing is at the origin. */
export const boundsOfPoints = (points: Iterable<readonly [number, number]>): Bounds => {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    minX = Math.min(minX, x)
    minY = Math.min(minY, y)
    maxX = Math.max(maxX, x)
    maxY = Math.max(maxY, y)
  }
  return minX === Infinity ? { minX: 0, minY: 0, maxX: 0, maxY: 0 } : { minX, minY, maxX, maxY }
}

export const unitedBounds = (all: readonly Bounds[]): Bounds =>
  boundsOfPoints(
    all.flatMap((one): [number, number][] => [
      [one.minX, one.minY],
      [one.maxX, one.maxY],
    ]),
  )

export const grown = (bounds: Bounds, by: number): Bounds => ({
  minX: bounds.minX - by,
  minY: bounds.minY - by,
  maxX: bounds.maxX + by,
  maxY: bounds.maxY + by,
})

export const contains = (bounds: Bounds, point: PicturePoint): boolean =>
  point.x >= bounds.minX && point.x <= bounds.maxX && point.y >= bounds.minY && point.y <= bounds.maxY

export const encloses = (outer: Bounds, inner: Bounds): boolean =>
  inner.minX >= outer.minX && inner.minY >= outer.minY && inner.maxX <= outer.maxX && inner.maxY <= outer.maxY
