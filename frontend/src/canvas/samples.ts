/** Things to try the drawing area with: pictures that are drawn on the spot, and shapes by the thousand. */
import type { CanvasObject, Tuple } from './object'
import type { Label } from '../lib/api/types'

export const LABELS: Label[] = [
  { name: 'vehicle', color: '#3b76f6' },
  { name: 'building', color: '#e8590c' },
  { name: 'tree', color: '#2b8a3e' },
  { name: 'lane', color: '#f08c00' },
  {
    name: 'person',
    color: '#9c36b5',
    skeleton: {
      points: ['head', 'neck', 'left hand', 'right hand', 'hip', 'left foot', 'right foot'],
      edges: [
        { start: 'head', end: 'neck' },
        { start: 'neck', end: 'left hand' },
        { start: 'neck', end: 'right hand' },
        { start: 'neck', end: 'hip' },
        { start: 'hip', end: 'left foot' },
        { start: 'hip', end: 'right foot' },
      ],
    },
  },
]

export const SAMPLE = { width: 1600, height: 1000 }

/** A source of numbers in [0, 1) that repeats itself for a seed (a linear congruential generator, Numerical Recipes). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Boxes, rotated boxes, polygons, lines and points all over a picture; the same for the same seed. */
export function manyShapes(count: number, { width, height }: { width: number; height: number }, seed = 1): CanvasObject[] {
  const random = seeded(seed)
  return Array.from({ length: count }, (_, index): CanvasObject => {
    const size = 12 + random() * 48
    const [x, y] = [size + random() * (width - 2 * size), size + random() * (height - 2 * size)]
    const common = { id: `sample_${seed}_${index}`, label: LABELS[Math.floor(random() * 4)]?.name ?? '' }
    return shapeAt(index % 5, common, x, y, size, random)
  })
}

const round = (value: number) => Math.round(value * 100) / 100

function shapeAt(
  which: number,
  common: { id: string; label: string },
  x: number,
  y: number,
  size: number,
  random: () => number,
): CanvasObject {
  const [width, height] = [round(size), round(size * (0.5 + random() / 2))]
  if (which === 0) return { ...common, kind: 'box', x: round(x - size / 2), y: round(y - size / 2), width, height }
  if (which === 1) {
    return { ...common, kind: 'rotated_box', center_x: round(x), center_y: round(y), width, height, angle_deg: round(random() * 360 - 180) }
  }
  if (which === 4) return { ...common, kind: 'keypoints', points: [{ name: 'point', x: round(x), y: round(y), visibility: 2 }] }
  const corners = Array.from({ length: 12 }, (_, corner): Tuple => {
    const [angle, reach] = [(corner / 12) * 2 * Math.PI, (size / 2) * (0.6 + random() * 0.4)]
    return [round(x + Math.cos(angle) * reach), round(y + Math.sin(angle) * reach)]
  })
  if (which === 2) return { ...common, kind: 'polygon', parts: [{ points: corners, holes: [] }] }
  return { ...common, kind: 'polyline', points: corners.slice(0, 5) }
}
