import type { ShortcutScope } from '../scope'

export default {
  scope: 'gallery',
  order: 20,
  words: 'shortcuts:gallery',
  actions: [
    { id: 'select_all', keys: ['mod+a'] },
    { id: 'select_none', keys: ['Escape'] },
    ...Array.from({ length: 9 }, (_, index) => ({
      id: `label_${index + 1}`,
      keys: [String(index + 1)],
      word: 'label',
      params: { number: index + 1 },
    })),
    { id: 'unlabel', keys: ['0'] },
    { id: 'delete', keys: ['Delete', 'Backspace'] },
    { id: 'comment', keys: ['c'] },
    { id: 'help', keys: ['?'] },
  ],
} satisfies ShortcutScope
