/** Keys pressed while nothing that handles them has the focus, or before anything can handle them. */
import { useEffect, useEffectEvent, useRef } from 'react'

import { isHandled } from './use-shortcuts'

/** Elements that handle keys themselves, or whose focus marks a position. */
const KEY_TARGETS =
  'input, select, textarea, button, summary, [contenteditable=true], [role=listbox], [role=grid], [role=menu], [role=toolbar], [role=tablist], [role=slider], [role=dialog]'

const hasKeyTarget = (event: KeyboardEvent) => event.target instanceof Element && event.target.closest(KEY_TARGETS) !== null

/** Passes on keys pressed while nothing has the focus, or a link that was followed has it. */
export function useLooseKeys(run: (event: KeyboardEvent) => void): void {
  const down = useEffectEvent((event: KeyboardEvent) => {
    if (!isHandled(event) && !hasKeyTarget(event)) run(event)
  })
  useEffect(() => {
    document.addEventListener('keydown', down)
    return () => document.removeEventListener('keydown', down)
  }, [])
}

/**
 * Holds keys back until there is something for them to act on, and lets them go then in their order, one after the other has been
 * drawn.
 *
 * @param isReady whether they may go
 * @param isMeant whether a key is held at all
 */
export function useEarlyKeys(isReady: boolean, isMeant: (event: KeyboardEvent) => boolean): void {
  const queue = useRef<KeyboardEvent[]>([])
  const isLettingGo = useRef(false)
  const down = useEffectEvent((event: KeyboardEvent) => {
    if ((isReady && queue.current.length === 0) || isReplayed(event) || isHandled(event) || hasKeyTarget(event) || !isMeant(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    queue.current.push(event)
  })
  useEffect(() => {
    document.addEventListener('keydown', down, { capture: true })
    return () => document.removeEventListener('keydown', down, { capture: true })
  }, [])
  useEffect(() => {
    if (!isReady || isLettingGo.current || queue.current.length === 0) return
    isLettingGo.current = true
    const next = () => {
      const [event] = queue.current
      if (event) replay(event)
      queue.current.shift()
      if (queue.current.length > 0) setTimeout(next, STEP_MS)
      else isLettingGo.current = false
    }
    setTimeout(next, STEP_MS)
  }, [isReady])
}

const replayed = new WeakSet<KeyboardEvent>()
const isReplayed = (event: KeyboardEvent) => replayed.has(event)

function replay(original: KeyboardEvent): void {
  const event = new KeyboardEvent('keydown', initOf(original))
  replayed.add(event)
  ;(document.activeElement ?? document.body).dispatchEvent(event)
}

/** Until a step is drawn, and the focus has followed. */
const STEP_MS = 40

function initOf({ key, code, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): KeyboardEventInit {
  return { key, code, shiftKey, ctrlKey, metaKey, altKey, bubbles: true, cancelable: true }
}
