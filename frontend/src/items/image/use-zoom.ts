import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'

import { panned, WHOLE, type Zoom, zoomedAbout } from './zoom'

const ZOOM_PER_PX = 0.0025
const LINE_PX = 16

/** Wheel, pinch and buttons bring a picture nearer, dragging moves it; another picture is seen whole again. */
export function useZoom(picture: string) {
  const box = useRef<HTMLDivElement>(null)
  const drag = useRef<{ x: number; y: number } | null>(null)
  const [kept, keep] = useState({ picture, zoom: WHOLE })
  const zoom = kept.picture === picture ? kept.zoom : WHOLE
  const set = (next: (before: Zoom, rect: DOMRect) => Zoom) => {
    const rect = box.current?.getBoundingClientRect()
    if (rect) keep((now) => ({ picture, zoom: next(now.picture === picture ? now.zoom : WHOLE, rect) }))
  }
  const wheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    const dy = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1)
    const factor = Math.exp(Math.min(Math.max(-dy * ZOOM_PER_PX, -0.5), 0.5))
    set((before, { left, top, width, height }) =>
      zoomedAbout(before, factor, { x: event.clientX - left, y: event.clientY - top }, { width, height }),
    )
  })
  useEffect(() => {
    const element = box.current
    // React hears the wheel without being able to keep the page still.
    element?.addEventListener('wheel', wheel, { passive: false })
    return () => element?.removeEventListener('wheel', wheel)
  }, [])
  return {
    box,
    zoom,
    zoomBy: (factor: number) =>
      set((before, { width, height }) => zoomedAbout(before, factor, { x: width / 2, y: height / 2 }, { width, height })),
    fit: () => set(() => WHOLE),
    dragging: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0 || zoom.scale === 1) return
        drag.current = { x: event.clientX, y: event.clientY }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = drag.current
        if (!from) return
        drag.current = { x: event.clientX, y: event.clientY }
        set((before, rect) => panned(before, { x: event.clientX - from.x, y: event.clientY - from.y }, rect))
      },
      onPointerUp: () => (drag.current = null),
      onPointerCancel: () => (drag.current = null),
    },
  }
}
