import type { ShortcutScope } from '../scope'

export default {
  scope: 'compare',
  order: 45,
  words: 'versions:look.keys',
  actions: [
    { id: 'next', keys: ['ArrowRight'], repeats: true },
    { id: 'previous', keys: ['ArrowLeft'], repeats: true },
    { id: 'zoom_in', keys: ['+', '='], repeats: true },
    { id: 'zoom_out', keys: ['-'], repeats: true },
    { id: 'to_changes', keys: ['z'] },
    { id: 'fit', keys: ['f', '0'] },
    { id: 'pan_left', keys: ['shift+ArrowLeft'], repeats: true },
    { id: 'pan_right', keys: ['shift+ArrowRight'], repeats: true },
    { id: 'pan_up', keys: ['shift+ArrowUp', 'ArrowUp'], repeats: true },
    { id: 'pan_down', keys: ['shift+ArrowDown', 'ArrowDown'], repeats: true },
    { id: 'overlay', keys: ['o'] },
    { id: 'same', keys: ['s'] },
  ],
} satisfies ShortcutScope
