import type { KeyboardEvent } from 'react'

/** Attributes of a mark in a drawing that is pressed like a button, by pointer, Enter and the space bar. */
export function pressable(label: string, onPress: () => void) {
  return {
    tabIndex: 0,
    role: 'button',
    'aria-label': label,
    onClick: onPress,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      onPress()
    },
  } as const
}
