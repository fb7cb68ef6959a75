/**
 * The same 2,000 shapes drawn by our view and by a plain Konva layer with a node for each shape, panned, zoomed and dragged frame by
 * frame; and strokes of the brush on a large picture. `window.measure` and `window.paint` are called by benchmarks/canvas.py; they answer
 * with milliseconds between frames and of scripting in each.
 */
import Konva from 'konva'

import { Editor } from '../../src/canvas/editor'
import { inputAt } from '../../src/canvas/keyboard'
import type { CanvasObject, MaskObject } from '../../src/canvas/object'
import { MaskTiles } from '../../src/canvas/shapes/mask/tiles'
import { cornersOf } from '../../src/canvas/shapes/rotated_box/shape'
import { KonvaView } from '../../src/canvas/view/konva-view'
import { LABELS, manyShapes, SAMPLE } from '../../src/canvas/samples'
import { drawScene } from '../../src/features/playground/model/scene'

type Gesture = 'pan' | 'zoom' | 'drag'
type Step = (frame: number) => void
interface Contestant {
  steps: Record<Gesture, Step>
  end(): void
}

const container = document.querySelector<HTMLDivElement>('#stage') as HTMLDivElement
const screen = { width: window.innerWidth, height: window.innerHeight }
const wave = (frame: number, size: number) => Math.sin(frame / 15) * size

/** Time spent in callbacks of frames, ours and Konva's own. */
let scripting = 0
const plainRequest = window.requestAnimationFrame.bind(window)
window.requestAnimationFrame = (callback) =>
  plainRequest((time) => {
    const start = performance.now()
    callback(time)
    scripting += performance.now() - start
  })

function ours(shapes: CanvasObject[], image: HTMLImageElement): Contestant {
  const editor = new Editor({ picture: SAMPLE, labels: LABELS, objects: shapes })
  const view = new KonvaView(container, editor)
  view.setPicture(image)
  const pressed = { shift: false, alt: false }
  let isDragging = false
  return {
    steps: {
      pan: (frame) => editor.viewport.panBy({ x: wave(frame + 1, 90) - wave(frame, 90), y: wave(frame + 1, 40) - wave(frame, 40) }),
      zoom: (frame) => editor.viewport.zoomBy(Math.exp(wave(frame, 0.05)), { x: screen.width / 2, y: screen.height / 2 }),
      drag: (frame) => {
        const at = inputAt(editor, { x: 800 + wave(frame, 150), y: 500 + wave(frame, 80) }, pressed)
        if (!isDragging) {
          editor.add({ kind: 'box', id: 'dragged', label: 'tree', x: 780, y: 480, width: 40, height: 40 })
          editor.chooseTool('select')
          editor.pointerDown(inputAt(editor, { x: 800, y: 500 }, pressed))
          isDragging = true
        }
        editor.pointerMove(at)
      },
    },
    end: () => view.destroy(),
  }
}

function naive(shapes: CanvasObject[], image: HTMLImageElement): Contestant {
  const stage = new Konva.Stage({ container, ...screen })
  const layer = new Konva.Layer()
  layer.add(new Konva.Image({ image, width: SAMPLE.width, height: SAMPLE.height }))
  const nodes = shapes.map(nodeOf)
  for (const node of nodes) layer.add(node)
  stage.add(layer)
  const fit = Math.min((screen.width - 32) / SAMPLE.width, (screen.height - 32) / SAMPLE.height)
  stage.scale({ x: fit, y: fit })
  const dragged = nodes.at(-1) as Konva.Shape
  const home = dragged.position()
  return {
    steps: {
      pan: (frame) => stage.position({ x: wave(frame, 90), y: wave(frame, 40) }),
      zoom: (frame) => {
        const scale = stage.scaleX() * Math.exp(wave(frame, 0.05))
        stage.scale({ x: scale, y: scale })
      },
      drag: (frame) => dragged.position({ x: home.x + wave(frame, 150), y: home.y + wave(frame, 80) }),
    },
    end: () => stage.destroy(),
  }
}

function nodeOf(shape: CanvasObject): Konva.Shape {
  const color = LABELS.find(({ name }) => name === shape.label)?.color ?? '#868e96'
  const look = { stroke: color, strokeWidth: 1.5, strokeScaleEnabled: false, fill: `${color}2e`, draggable: true }
  switch (shape.kind) {
    case 'box':
      return new Konva.Rect({ ...look, x: shape.x, y: shape.y, width: shape.width, height: shape.height })
    case 'rotated_box':
      return new Konva.Line({ ...look, points: cornersOf(shape).flat(), closed: true })
    case 'polygon':
      return new Konva.Line({ ...look, points: (shape.parts[0]?.points ?? []).flat(), closed: true })
    case 'polyline':
      return new Konva.Line({ ...look, points: shape.points.flat(), fillEnabled: false })
    case 'keypoints':
      return new Konva.Circle({ ...look, x: shape.points[0]?.x ?? 0, y: shape.points[0]?.y ?? 0, radius: 5 })
    case 'mask':
      throw new Error('the samples have no masks')
  }
}

async function play(step: Step, frames: number): Promise<{ intervals: number[]; scripts: number[] }> {
  const [intervals, scripts]: [number[], number[]] = [[], []]
  let last = await new Promise<number>((resolve) => plainRequest(resolve))
  for (let frame = 0; frame < frames; frame += 1) {
    scripting = 0
    const start = performance.now()
    step(frame)
    const stepped = performance.now() - start
    const now = await new Promise<number>((resolve) => plainRequest((time) => setTimeout(() => resolve(time))))
    intervals.push(now - last)
    scripts.push(stepped + scripting)
    last = now
  }
  return { intervals, scripts }
}

async function measure(who: 'ours' | 'naive', count: number, frames: number) {
  const image = new Image()
  image.src = drawScene().toDataURL()
  await image.decode()
  const contestant = (who === 'ours' ? ours : naive)(manyShapes(count, SAMPLE), image)
  await play(() => undefined, 10)
  const pan = await play(contestant.steps.pan, frames)
  const zoom = await play(contestant.steps.zoom, frames)
  const drag = await play(contestant.steps.drag, frames)
  contestant.end()
  return { pan, zoom, drag }
}

const LARGE = { width: 4000, height: 3000 }

/** A stroke of the brush over a picture of 12 megapixels, on a mask of all of it or on nothing. */
async function paint(isFull: boolean, frames: number) {
  const tiles = new MaskTiles(LARGE.width, LARGE.height)
  if (isFull) for (let x = 0; x < LARGE.width; x += 1) tiles.setRun(x, 0, LARGE.height)
  const full: MaskObject = { kind: 'mask', id: 'full', label: 'tree', ...LARGE, counts: tiles.counts() }
  const editor = new Editor({ picture: LARGE, labels: LABELS, objects: isFull ? [full] : [] })
  const view = new KonvaView(container, editor)
  const at = (frame: number) =>
    inputAt(editor, { x: 2000 + wave(frame, 1500), y: 1500 + wave(frame * 1.7, 1000) }, { shift: false, alt: false })
  editor.brushRadius = 180
  editor.chooseLabel('tree')
  if (isFull) editor.selection.set([full.id])
  editor.chooseTool('mask')
  await play(() => undefined, 10)
  editor.pointerDown(at(0))
  const played = await play((frame) => editor.pointerMove(at(frame)), frames)
  const start = performance.now()
  editor.pointerUp(at(frames))
  const release = performance.now() - start
  view.destroy()
  return { ...played, release }
}

declare global {
  interface Window {
    measure: typeof measure
    paint: typeof paint
  }
}
Object.assign(window, { measure, paint })
