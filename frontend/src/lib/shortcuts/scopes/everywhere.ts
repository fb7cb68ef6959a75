import type { ShortcutScope } from '../scope'

export default {
  scope: 'everywhere',
  order: 5,
  words: 'shortcuts:everywhere',
  beside: ['labelling', 'drawing', 'canvas', 'gallery', 'grid', 'review', 'map', 'findings', 'compare', 'report'],
  actions: [{ id: 'palette', keys: ['mod+k'] }],
} satisfies ShortcutScope
