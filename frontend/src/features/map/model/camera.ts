/** Where one looks: the unit square of the map in the pixels of the page. Pure. */

export interface Camera {
  /** Pixels that the side of the unit square takes. */
  readonly scale: number
  /** Pixels from the left and the top of the page to the square's corner. */
  readonly left: number
  readonly top: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

const MARGIN_PX = 16
export const MAX_ZOOM = 200

/** The whole map, as large as fits. */
export function fit({ width, height }: Size): Camera {
  const scale = Math.max(1, Math.min(width, height) - 2 * MARGIN_PX)
  return { scale, left: (width - scale) / 2, top: (height - scale) / 2 }
}

export const toPage = (camera: Camera, x: number, y: number): [number, number] => [
  camera.left + x * camera.scale,
  camera.top + y * camera.scale,
]

export const toMap = (camera: Camera, px: number, py: number): [number, number] => [
  (px - camera.left) / camera.scale,
  (py - camera.top) / camera.scale,
]

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, left: camera.left + dx, top: camera.top + dy }
}

/** Zooms about a point of the page, which stays where it is; never beyond what is sensible for the page's size. */
export function zoom(camera: Camera, factor: number, px: number, py: number, size: Size): Camera {
  const whole = fit(size).scale
  const scale = Math.min(whole * MAX_ZOOM, Math.max(whole * 0.5, camera.scale * factor))
  const [x, y] = toMap(camera, px, py)
  return { scale, left: px - x * scale, top: py - y * scale }
}

/** The camera after the page has got another size: what was in the middle stays there. */
export function resized(camera: Camera, before: Size, after: Size): Camera {
  const [x, y] = toMap(camera, before.width / 2, before.height / 2)
  const scale = camera.scale * (fit(after).scale / fit(before).scale)
  return { scale, left: after.width / 2 - x * scale, top: after.height / 2 - y * scale }
}
