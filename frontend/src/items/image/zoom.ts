/** How a picture that fits its box is seen nearer. Pure. */

/** What lies in the box is enlarged `scale` times from its upper left corner and then moved, in pixels of the screen. */
export interface Zoom {
  scale: number
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

/** All of it, as large as it fits. */
export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 }

const MAX_SCALE = 24

/** The box stays filled: nobody loses the picture. */
const within = (scale: number, x: number, y: number, box: Size): Zoom => {
  const clamp = (offset: number, length: number) => Math.min(0, Math.max(offset, length * (1 - scale)))
  return { scale, x: clamp(x, box.width), y: clamp(y, box.height) }
}

/** Nearer or farther by a factor; the point at `about` stays where it is, as far as the box allows. */
export function zoomedAbout(zoom: Zoom, factor: number, about: { x: number; y: number }, box: Size): Zoom {
  const scale = Math.min(MAX_SCALE, Math.max(1, zoom.scale * factor))
  const share = scale / zoom.scale
  return within(scale, about.x - (about.x - zoom.x) * share, about.y - (about.y - zoom.y) * share, box)
}

export const panned = (zoom: Zoom, by: { x: number; y: number }, box: Size): Zoom => within(zoom.scale, zoom.x + by.x, zoom.y + by.y, box)
