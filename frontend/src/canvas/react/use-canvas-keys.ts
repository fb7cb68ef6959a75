/** The keys of the shortcut map, and the space bar, which moves the picture while it is held. */
import { useEffect, useMemo } from 'react'

import { isHandled, useShortcuts } from '../../lib/shortcuts/use-shortcuts'
import { ACTIONS } from '../actions'
import type { Editor } from '../editor'

export function useCanvasKeys(editor: Editor, showHelp: () => void, tools?: readonly string[]): void {
  const actions = useMemo(() => {
    const run = (name: string) => (event: KeyboardEvent) => ACTIONS[name]?.(editor, { shift: event.shiftKey, alt: event.altKey })
    const isOffered = (name: string) => !tools || !name.startsWith('tool_') || tools.includes(name.slice('tool_'.length))
    return Object.fromEntries(
      Object.keys(ACTIONS)
        .filter(isOffered)
        .map((name) => [name, run(name)]),
    )
  }, [editor, tools])
  useShortcuts('canvas', { ...actions, help: showHelp })
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.key !== ' ' || isHandled(event)) return
      event.preventDefault()
      editor.holdPan(true)
    }
    const up = (event: KeyboardEvent) => {
      if (event.key === ' ') editor.holdPan(false)
    }
    document.addEventListener('keydown', down)
    document.addEventListener('keyup', up)
    return () => {
      document.removeEventListener('keydown', down)
      document.removeEventListener('keyup', up)
    }
  }, [editor])
}
