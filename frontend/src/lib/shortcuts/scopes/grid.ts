import type { ShortcutScope } from '../scope'

export default {
  scope: 'grid',
  order: 25,
  words: 'shortcuts:grid',
  beside: ['gallery'],
  actions: [
    { id: 'edit', keys: ['F2'] },
    { id: 'undo', keys: ['mod+z'] },
    { id: 'history', keys: ['h'] },
  ],
} satisfies ShortcutScope
