import { type RefCallback, useCallback } from 'react'

/** Keeps the height of an element in the property `--name` of the page's root, as long as the element is there. */
export function useElementHeight(name: `--${string}`): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      const { style } = document.documentElement
      const update = () => style.setProperty(name, `${element.offsetHeight}px`)
      const observer = new ResizeObserver(update)
      observer.observe(element)
      update()
      return () => {
        observer.disconnect()
        style.removeProperty(name)
      }
    },
    [name],
  )
}
