import type { ShortcutScope } from '../scope'

export default {
  scope: 'labelling',
  order: 10,
  words: 'labelling:keys',
  actions: [
    { id: 'accept', keys: ['Space', 'a'] },
    { id: 'next', keys: ['Enter', 'ArrowRight'], repeats: true },
    { id: 'previous', keys: ['ArrowLeft'], repeats: true },
    ...Array.from({ length: 9 }, (_, index) => ({
      id: `label_${index + 1}`,
      keys: [String(index + 1)],
      word: 'label',
      params: { number: index + 1 },
    })),
    { id: 'nothing', keys: ['0'] },
    { id: 'clear', keys: ['Backspace', 'Delete'] },
    { id: 'undo', keys: ['u', 'mod+z'], repeats: true },
    { id: 'redo', keys: ['shift+u', 'mod+shift+z', 'mod+y'], repeats: true },
    { id: 'evidence', keys: ['e'] },
    { id: 'search', keys: ['/'] },
    { id: 'batch', keys: ['b'] },
    { id: 'comment', keys: ['c'] },
    { id: 'history', keys: ['h'] },
    { id: 'help', keys: ['?'] },
  ],
} satisfies ShortcutScope
