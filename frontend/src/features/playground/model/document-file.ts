/** What is drawn, as a text: a picture's size, the labels and the annotations in the platform's own words. */
import { annotationsFrom, type CanvasObject, objectsFrom } from '../../../canvas/object'
import { shapeOf } from '../../../canvas/shapes'
import type { Annotation, Label } from '../../../lib/api/types'

export interface DocumentFile {
  width: number
  height: number
  labels: Label[]
  annotations: Annotation[]
}

export function textOf(size: { width: number; height: number }, labels: readonly Label[], objects: readonly CanvasObject[]): string {
  const file: DocumentFile = { ...size, labels: [...labels], annotations: annotationsFrom(objects) }
  const lines = file.annotations.map((annotation) => `    ${JSON.stringify(annotation)}`)
  const head = JSON.stringify({ width: file.width, height: file.height, labels: file.labels }, null, 2).slice(0, -2)
  return `${head},\n  "annotations": [${lines.length ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`
}

/** The inverse; null for a text that is no such file. Each object is tried: what cannot be measured is not drawn. */
export function readText(text: string): { labels: Label[]; objects: CanvasObject[] } | null {
  try {
    const file = JSON.parse(text) as Partial<DocumentFile>
    if (!Array.isArray(file.annotations)) return null
    const { objects } = objectsFrom(file.annotations)
    const isSound = objects.every((object) => Object.values(shapeOf(object).bounds(object)).every(Number.isFinite) && object.label)
    const labels = Array.isArray(file.labels) ? file.labels.filter(({ name, color }) => name && /^#[0-9a-f]{6}$/i.test(color)) : []
    return isSound ? { labels, objects } : null
  } catch {
    return null
  }
}
