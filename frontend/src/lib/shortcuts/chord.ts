/**
 * Key chords as text: `mod+shift+z`, `Enter`, `?`. `mod` is Command on a Mac and Control elsewhere; a character that needs Shift
 * (`?`, `!`) is written without it, letters are lower case.
 */

export interface KeyPress {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Fn'])
const SHOWN: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: '⌫',
  Delete: 'Del',
  Escape: 'Esc',
  Space: 'Space',
  Enter: 'Enter',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
}

export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent)

/** What the key is called on the keyboard that sends it, whatever it types there: an input method may hide the letter. */
function keyOfCode(code: string): string | null {
  return /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1]?.toLowerCase() ?? null
}

/** The chords that a key press may mean, the likeliest first; none for a modifier alone. */
export function chordsOf(press: KeyPress, mac = isMac()): string[] {
  if (MODIFIERS.has(press.key)) return []
  const mod = mac ? press.metaKey : press.ctrlKey
  const ctrl = mac && press.ctrlKey
  const prefix = `${mod ? 'mod+' : ''}${ctrl ? 'ctrl+' : ''}${press.altKey ? 'alt+' : ''}`
  const shift = press.shiftKey ? 'shift+' : ''
  const name = press.key === ' ' ? 'Space' : press.key
  const isLetter = name.length === 1 && name.toLowerCase() !== name.toUpperCase()
  const typed = name.length === 1 ? `${prefix}${isLetter ? shift : ''}${name.toLowerCase()}` : `${prefix}${shift}${name}`
  const code = keyOfCode(press.code)
  const found = ['Process', 'Unidentified'].includes(name) ? [] : [typed]
  if (code) found.push(`${prefix}${shift}${code}`)
  return [...new Set(found)]
}

/** A chord in the way it is printed on keys. */
export function shownChord(chord: string, mac = isMac()): string {
  const key = chord.endsWith('+') ? '+' : chord.slice(chord.lastIndexOf('+') + 1)
  const held = chord
    .slice(0, chord.length - key.length)
    .split('+')
    .filter(Boolean)
  const names = [...held, key].map((part) => {
    if (part === 'mod') return mac ? '⌘' : 'Ctrl'
    if (part === 'ctrl') return mac ? '⌃' : 'Ctrl'
    if (part === 'alt') return mac ? '⌥' : 'Alt'
    if (part === 'shift') return '⇧'
    return SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part)
  })
  return names.join(mac ? '' : ' ')
}
