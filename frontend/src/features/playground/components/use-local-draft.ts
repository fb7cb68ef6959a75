import { useEffect } from 'react'

import type { Editor } from '../../../canvas/editor'
import { readText, textOf } from '../model/document-file'

const STORAGE_KEY = 'modelyard.playground'
const PAUSE_MS = 300

/** Keeps what is drawn in this browser, so that a reload brings it back. */
export function useLocalDraft(editor: Editor): void {
  useEffect(() => {
    const stored = readText(localStorage.getItem(STORAGE_KEY) ?? '')
    if (stored && editor.document.size === 0) editor.open(editor.viewport.picture, stored.objects)
    let waiting: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(waiting)
      try {
        localStorage.setItem(STORAGE_KEY, textOf(editor.viewport.picture, editor.labels, editor.document.objects()))
      } catch {
        localStorage.removeItem(STORAGE_KEY) // too much for the browser: an older state would be wrong
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
