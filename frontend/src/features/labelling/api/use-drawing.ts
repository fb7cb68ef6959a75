import { useEffect, useState } from 'react'

import { Editor as Canvas } from '../../../canvas/editor'
import type { CanvasLabel } from '../../../canvas/label'
import { Drawing } from '../model/drawing'
import type { LabellingSession } from '../model/labelling-session'
import type { Suggestion } from '../model/frozen'

interface DrawingOptions {
  labels: readonly CanvasLabel[]
  canLabel: boolean
  suggestion: Suggestion | null
  /** Proposals less sure than that, 0..1, are not shown. */
  atLeast: number
  /** In hand at the beginning. */
  firstTool: string
}

/** The canvas of the picture shown. Every gesture is saved at once; changes of others are merged into it. */
export function useDrawing(session: LabellingSession, { labels, canLabel, suggestion, atLeast, firstTool }: DrawingOptions): Drawing {
  const [drawing] = useState(() => {
    const canvas = new Canvas({ picture: { width: 1, height: 1 }, labels, isReadOnly: !canLabel })
    if (canLabel && labels.length) canvas.chooseTool(firstTool)
    // Only the first word on a picture answers the suggestion.
    return new Drawing(canvas, (annotations, shown) => session.accept(annotations, session.state().annotations === null ? shown : null))
  })
  useEffect(() => {
    const show = () => {
      const { item, annotations } = session.state()
      if (item) drawing.show(item, annotations)
    }
    show()
    return session.subscribe(show)
  }, [session, drawing])
  useEffect(() => drawing.canvas.setLabels(labels), [drawing, labels])
  const item = session.state().item?.id
  useEffect(() => {
    drawing.suggest(suggestion, atLeast)
  }, [drawing, item, suggestion, atLeast])
  return drawing
}
