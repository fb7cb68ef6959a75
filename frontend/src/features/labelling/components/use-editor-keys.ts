import { type HotkeyItem, useHotkeys } from '@mantine/hooks'

interface EditorKeys {
  labels: readonly string[]
  pick: (label: string) => void
  nothing: () => void
  clear: () => void
  accept: () => void
  next: () => void
  previous: () => void
  undo: () => void
  redo: () => void
  search: () => void
  help: () => void
}

/** Enter and Space belong to a button that has the focus; everywhere else they go to the next picture. */
function unlessOnControl(run: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    const target = event.target instanceof HTMLElement ? event.target.closest('button, a, [role="radio"], [role="checkbox"]') : null
    if (target) return
    event.preventDefault()
    run()
  }
}

export function useEditorKeys(keys: EditorKeys): void {
  const digits = keys.labels.slice(0, 9).map((label, index): HotkeyItem => [String(index + 1), () => keys.pick(label)])
  useHotkeys([
    ...digits,
    ['0', keys.nothing],
    ['Backspace', keys.clear],
    ['Delete', keys.clear],
    ['A', keys.accept],
    ['Enter', unlessOnControl(keys.next), { preventDefault: false }],
    ['Space', unlessOnControl(keys.next), { preventDefault: false }],
    ['ArrowRight', keys.next],
    ['ArrowLeft', keys.previous],
    ['U', keys.undo],
    ['mod+Z', keys.undo],
    ['shift+U', keys.redo],
    ['mod+shift+Z', keys.redo],
    ['/', keys.search],
    ['shift+?', keys.help],
    ['?', keys.help],
  ])
}
