/** Draws the map on a canvas: dots while there are many, pictures once there is space. No React. */
import { type Camera, type Size, toPage } from './camera'
import type { Corner, Points } from './points'

export interface Scene {
  readonly points: Points
  readonly camera: Camera
  readonly size: Size
  /** Pixels of the device to one of the page. */
  readonly ratio: number
  readonly classes: Uint16Array
  /** `#rrggbb` of each class. */
  readonly colors: readonly string[]
  readonly isHidden: readonly boolean[]
  readonly selected: ReadonlySet<number>
  readonly active: number
  readonly lasso: readonly Corner[]
  readonly ink: string
  readonly ground: string
  /** Items look like something; of texts the dots are all there is. */
  readonly hasThumbnails: boolean
  /** The thumbnail of a picture when it is here; asking brings it. */
  readonly thumbnail: (index: number) => CanvasImageSource | null
}

/** With so few dots round ones are cheap. */
const ROUND_MAX = 6_000
/** So many pictures are shown at once, in squares of this side. */
const PICTURES_MAX = 120
const PICTURE_PX = 56

/** Points in sight, as far as they are shown. */
export function inSight(scene: Scene): number[] {
  const { points, camera, size } = scene
  const found: number[] = []
  for (let index = 0; index < points.x.length; index += 1) {
    if (scene.isHidden[scene.classes[index] ?? 0]) continue
    const [px, py] = toPage(camera, points.x[index] ?? 0, points.y[index] ?? 0)
    if (px > -PICTURE_PX && py > -PICTURE_PX && px < size.width + PICTURE_PX && py < size.height + PICTURE_PX) found.push(index)
  }
  return found
}

/** Radius of a dot: small for crowds, larger close up. */
export function radius(num: number, camera: Camera, size: Size): number {
  const closeness = camera.scale / Math.max(1, Math.min(size.width, size.height))
  const base = num > 30_000 ? 1.2 : num > 5_000 ? 1.8 : num > 800 ? 3 : 4.5
  return Math.min(7, base * Math.sqrt(Math.max(1, closeness)))
}

export function paint(context: CanvasRenderingContext2D, scene: Scene): void {
  const { ratio, size } = scene
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, size.width * ratio, size.height * ratio)
  const seen = inSight(scene)
  const dot = radius(scene.points.x.length, scene.camera, size)
  if (seen.length > ROUND_MAX) paintSplats(context, scene, seen, dot)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  if (seen.length <= ROUND_MAX) paintDots(context, scene, seen, dot)
  const hasPictures = scene.hasThumbnails && seen.length <= PICTURES_MAX
  if (hasPictures) seen.forEach((index) => paintPicture(context, scene, index))
  paintMarks(context, scene, dot, hasPictures)
  paintLasso(context, scene)
}

function paintDots(context: CanvasRenderingContext2D, scene: Scene, seen: readonly number[], dot: number): void {
  // What comes last in the legend, such as the unlabelled, lies behind.
  for (let kind = scene.colors.length - 1; kind >= 0; kind -= 1) {
    if (scene.isHidden[kind]) continue
    context.fillStyle = scene.colors[kind] ?? scene.ink
    context.beginPath()
    for (const index of seen) {
      if (scene.classes[index] !== kind) continue
      const [px, py] = toPage(scene.camera, scene.points.x[index] ?? 0, scene.points.y[index] ?? 0)
      context.moveTo(px + dot, py)
      context.arc(px, py, dot, 0, 2 * Math.PI)
    }
    context.fill()
  }
}

/** Writes the pixels of many dots straight into an image: a hundred thousand in a few milliseconds. */
function paintSplats(context: CanvasRenderingContext2D, scene: Scene, seen: readonly number[], dot: number): void {
  const width = Math.max(1, Math.round(scene.size.width * scene.ratio))
  const height = Math.max(1, Math.round(scene.size.height * scene.ratio))
  const image = context.createImageData(width, height)
  const pixels = new Uint32Array(image.data.buffer)
  const colors = scene.colors.map(littleEndian)
  const stamp = discOffsets(Math.max(1, dot * scene.ratio))
  const behind = colors.length - 1
  const ordered = [...seen.filter((index) => scene.classes[index] === behind), ...seen.filter((index) => scene.classes[index] !== behind)]
  for (const index of ordered) {
    const [px, py] = toPage(scene.camera, scene.points.x[index] ?? 0, scene.points.y[index] ?? 0)
    const column = Math.round(px * scene.ratio)
    const row = Math.round(py * scene.ratio)
    const color = colors[scene.classes[index] ?? 0] ?? 0
    for (const [dx, dy] of stamp) {
      const x = column + dx
      const y = row + dy
      if (x >= 0 && y >= 0 && x < width && y < height) pixels[y * width + x] = color
    }
  }
  context.putImageData(image, 0, 0)
}

/** `#rrggbb` as the 32 bits of an opaque pixel. */
export function littleEndian(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16)
  return ((255 << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0
}

/** Pixels of a disc about its centre. */
export function discOffsets(radiusPx: number): [number, number][] {
  const reach = Math.floor(radiusPx)
  const found: [number, number][] = []
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) if (dx * dx + dy * dy <= radiusPx * radiusPx) found.push([dx, dy])
  }
  return found
}

function paintPicture(context: CanvasRenderingContext2D, scene: Scene, index: number): void {
  const picture = scene.thumbnail(index)
  if (!picture) return
  const [px, py] = toPage(scene.camera, scene.points.x[index] ?? 0, scene.points.y[index] ?? 0)
  const { width, height } = picture as { width: number; height: number }
  const factor = PICTURE_PX / Math.max(width, height, 1)
  const [w, h] = [width * factor, height * factor]
  context.drawImage(picture, px - w / 2, py - h / 2, w, h)
  context.lineWidth = 2
  context.strokeStyle = scene.colors[scene.classes[index] ?? 0] ?? scene.ink
  context.strokeRect(px - w / 2, py - h / 2, w, h)
}

function paintMarks(context: CanvasRenderingContext2D, scene: Scene, dot: number, hasPictures: boolean): void {
  const reach = hasPictures ? PICTURE_PX / 2 + 3 : dot + 2
  const ring = (index: number, extra: number, width: number) => {
    const [px, py] = toPage(scene.camera, scene.points.x[index] ?? 0, scene.points.y[index] ?? 0)
    context.lineWidth = width + 2
    context.strokeStyle = scene.ground
    context.beginPath()
    if (hasPictures) context.rect(px - reach - extra, py - reach - extra, 2 * (reach + extra), 2 * (reach + extra))
    else context.arc(px, py, reach + extra, 0, 2 * Math.PI)
    context.stroke()
    context.lineWidth = width
    context.strokeStyle = scene.ink
    context.stroke()
  }
  if (scene.selected.size <= ROUND_MAX) scene.selected.forEach((index) => ring(index, 0, 1.5))
  if (scene.active >= 0) ring(scene.active, 3, 2.5)
}

function paintLasso(context: CanvasRenderingContext2D, scene: Scene): void {
  if (scene.lasso.length < 2) return
  context.beginPath()
  scene.lasso.forEach(([x, y], at) => {
    const [px, py] = toPage(scene.camera, x, y)
    if (at === 0) context.moveTo(px, py)
    else context.lineTo(px, py)
  })
  context.closePath()
  context.globalAlpha = 0.12
  context.fillStyle = scene.ink
  context.fill()
  context.globalAlpha = 1
  context.lineWidth = 1.5
  context.setLineDash([5, 4])
  context.strokeStyle = scene.ink
  context.stroke()
  context.setLineDash([])
}
