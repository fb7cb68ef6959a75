import type { ShortcutScope } from '../scope'

export default {
  scope: 'review',
  order: 30,
  words: 'shortcuts:review',
  actions: [
    { id: 'approve', keys: ['a'] },
    { id: 'return', keys: ['r'] },
    { id: 'comment', keys: ['c'] },
  ],
} satisfies ShortcutScope
