/** Hears the keys of a scope while a page is open. */
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'

import { actionsByChord, keysOf } from './bindings'
import { useChoices } from './choices'
import { chordsOf, shownChord } from './chord'
import { SCOPES, type ShortcutAction } from './scope'

type Run = (event: KeyboardEvent) => void

const TYPED_IN = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable=true]'
/**
 * A link is opened by Enter, but the menu's link to the page that is open, which keeps the focus of whoever came by it, leads nowhere.
 * Space does nothing to a link.
 */
const ENTERED = 'a[href]:not([aria-current=page])'
const CONTROLS = 'button, summary, [role=radio], [role=checkbox], [role=switch], [role=option], [role=tab], [role=menuitem], input'

/** Whether the press belongs to what has the focus: a field that is typed in, a dialog, a button that Enter presses. */
export function isHandled(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest(TYPED_IN)) return true
  if (document.querySelector('[role=dialog][aria-modal=true], [role=alertdialog]')) return true
  if (event.key === 'Enter' && target?.closest(ENTERED)) return true
  return (event.key === 'Enter' || event.key === ' ') && Boolean(target?.closest(CONTROLS))
}

/** Tells which action of a scope a key press stands for; for dialogs, which hear their keys themselves. */
export function useActionOf(name: string): (event: KeyboardEvent) => ShortcutAction | undefined {
  const [choices] = useChoices()
  return useMemo(() => {
    const scope = SCOPES.find((one) => one.scope === name)
    const chords = scope ? actionsByChord(scope, choices) : new Map<string, string>()
    return (event) => {
      const id = chordsOf(event).flatMap((chord) => chords.get(chord) ?? [])[0]
      return scope?.actions.find((action) => action.id === id)
    }
  }, [name, choices])
}

/**
 * Runs an action when one of its keys is pressed.
 *
 * @param name of the scope
 * @param actions by the ids of the scope; those left out do nothing
 * @param released what to do when the key comes up again, for keys that are held
 */
export function useShortcuts(name: string, actions: Record<string, Run>, released: Record<string, Run> = {}): void {
  const actionOf = useActionOf(name)
  const pressed = useRef(new Map<string, string>())
  // Those of what is on the screen: an effect would follow only after the screen, and a key pressed between would act on what was.
  const down = useEffectEvent((event: KeyboardEvent) => {
    if (isHandled(event)) return
    const action = actionOf(event)
    const run = action && actions[action.id]
    if (!action || !run) return
    event.preventDefault()
    if (event.repeat && !action.repeats) return
    pressed.current.set(event.code, action.id)
    run(event)
  })
  const up = useEffectEvent((event: KeyboardEvent) => {
    const id = pressed.current.get(event.code)
    pressed.current.delete(event.code)
    if (id !== undefined) released[id]?.(event)
  })
  useEffect(() => {
    document.addEventListener('keydown', down)
    document.addEventListener('keyup', up)
    return () => {
      document.removeEventListener('keydown', down)
      document.removeEventListener('keyup', up)
    }
  }, [])
}

/** How the first key of each action of a scope is printed; undefined for actions without one. */
export function useKeyHints(name: string): (action: string) => string | undefined {
  const [choices] = useChoices()
  return useMemo(() => {
    const scope = SCOPES.find((one) => one.scope === name)
    const keys = scope ? keysOf(scope, choices) : new Map<string, readonly string[]>()
    return (action) => {
      const first = keys.get(action)?.[0]
      return first === undefined ? undefined : shownChord(first)
    }
  }, [name, choices])
}
