import type { ShortcutScope } from '../scope'

export default {
  scope: 'findings',
  order: 40,
  words: 'shortcuts:findings',
  actions: [{ id: 'select_none', keys: ['Escape'] }],
} satisfies ShortcutScope
