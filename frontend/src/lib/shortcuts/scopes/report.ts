import type { ShortcutScope } from '../scope'

export default {
  scope: 'report',
  order: 48,
  words: 'report:viewer.keys',
  actions: [
    { id: 'next', keys: ['ArrowRight'], repeats: true },
    { id: 'previous', keys: ['ArrowLeft'], repeats: true },
    { id: 'label', keys: ['e', 'Enter'] },
    { id: 'evidence', keys: ['v'] },
  ],
} satisfies ShortcutScope
