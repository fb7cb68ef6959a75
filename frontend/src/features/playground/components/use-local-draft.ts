import { useEffect } from 'react'

import type { Editor } from '../../../canvas/editor'
import { readText, textOf } from '../model/document-file'

const KEPT = 'modelyard.playground'
const PAUSE_MS = 300

/** Keeps what is drawn in this browser, so that a reload brings it back. */
export function useLocalDraft(editor: Editor): void {
  useEffect(() => {
    const kept = readText(localStorage.getItem(KEPT) ?? '')
    if (kept && editor.document.size === 0) editor.open(editor.viewport.picture, kept.objects)
    let waiting: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(waiting)
      try {
        localStorage.setItem(KEPT, textOf(editor.viewport.picture, editor.labels, editor.document.objects()))
      } catch {
        localStorage.removeItem(KEPT) // too much for the browser: an older state would be wrong
      }
    }
    const off = editor.onOperations(() => {
      clearTimeout(waiting)
      waiting = setTimeout(keep, PAUSE_MS)
    })
    window.addEventListener('pagehide', keep)
    return () => {
      off()
      keep()
      window.removeEventListener('pagehide', keep)
    }
  }, [editor])
}
