import { type RefObject, useEffect } from 'react'

const LINE_PX = 60

/** Up and down scroll what is read though nothing has the focus, so that labelling by keys goes on without a click into it. */
export function useScrollKeys(scroll: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const view = scroll.current
      if (!view || event.target !== document.body || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const page_px = view.clientHeight * 0.85
      const steps: Record<string, number> = { ArrowUp: -LINE_PX, ArrowDown: LINE_PX, PageUp: -page_px, PageDown: page_px }
      const step = steps[event.key]
      if (step === undefined) return
      view.scrollBy({ top: step })
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [scroll])
}
