import { useEffect, useLayoutEffect, useRef, useState } from 'react'

import { pageFor, type Scroll, scrolled, TOP } from '../../lib/table/scroll'

/** Follows the scrolling of a box over a list that may be taller than a box can be, in both directions. */
export function useFrameScroll(list_px: number, head_px: number) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ width_px: 0, height_px: 0 })
  const [scroll, setScroll] = useState<Scroll>(TOP)
  const [left_px, setLeft] = useState(0)
  const view_px = Math.max(0, view.height_px - head_px)
  const latest = useRef({ scroll, extent: { list_px, view_px } })
  useLayoutEffect(() => {
    latest.current = { scroll, extent: { list_px, view_px } }
  })
  const follow = () => {
    const box = frame.current
    if (!box) return
    const { scroll: before, extent } = latest.current
    const after = scrolled(before, Math.max(0, box.scrollTop), extent)
    latest.current = { scroll: after, extent }
    setScroll(after)
    setLeft(box.scrollLeft)
  }
  useEffect(() => {
    const box = frame.current
    if (!box) return
    const measure = () => setView({ width_px: box.clientWidth, height_px: box.clientHeight })
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    return () => watch.disconnect()
  }, [])
  const goTo = (target_px: number) => {
    const { scroll: before, extent } = latest.current
    const after = pageFor(before, target_px, extent)
    latest.current = { scroll: after, extent }
    setScroll(after)
    if (frame.current) frame.current.scrollTop = after.page_px
  }
  const panTo = (target_px: number) => {
    if (!frame.current || frame.current.scrollLeft === target_px) return
    frame.current.scrollLeft = target_px
    setLeft(frame.current.scrollLeft)
  }
  return { frame, scroll, left_px, view_px, width_px: view.width_px, follow, goTo, panTo }
}
