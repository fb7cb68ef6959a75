import { type RefCallback, useCallback } from 'react'

/** For the element whose height the style sheets are to know: `--name` on the page's root, gone together with the element. */
export function useToldHeight(name: `--${string}`): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      const { style } = document.documentElement
      const tell = () => style.setProperty(name, `${element.offsetHeight}px`)
      const observer = new ResizeObserver(tell)
      observer.observe(element)
      tell()
      return () => {
        observer.disconnect()
        style.removeProperty(name)
      }
    },
    [name],
  )
}
