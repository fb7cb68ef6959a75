/** Keeps a view on a canvas while its page is open. */
import { type RefObject, useEffect, useRef } from 'react'

import { View, type ViewInput, type ViewOutput } from '../model/view'

/** The view of the canvas; it is there once the page has been drawn. */
export function useMapView(canvas: RefObject<HTMLCanvasElement | null>, input: ViewInput, output: ViewOutput): RefObject<View | null> {
  const view = useRef<View | null>(null)
  useEffect(() => {
    if (!canvas.current) return
    view.current ??= new View(canvas.current, input, output)
    view.current.update(input, output)
  })
  useEffect(
    () => () => {
      view.current?.stop()
      view.current = null
    },
    [],
  )
  return view
}
