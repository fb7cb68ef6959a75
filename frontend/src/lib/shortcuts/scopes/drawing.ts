import type { ShortcutScope } from '../scope'

export default {
  scope: 'drawing',
  formerly: 'boxes',
  order: 12,
  words: 'labelling:drawing.keys',
  beside: ['canvas'],
  actions: [
    { id: 'next', keys: ['w'], repeats: true },
    { id: 'previous', keys: ['q'], repeats: true },
    { id: 'accept', keys: ['y'] },
    { id: 'copy', keys: ['d'] },
    { id: 'nothing', keys: ['shift+e'] },
    { id: 'clear', keys: ['shift+Backspace', 'shift+Delete'] },
    { id: 'comment', keys: ['shift+c'] },
    { id: 'history', keys: ['shift+h'] },
  ],
} satisfies ShortcutScope
