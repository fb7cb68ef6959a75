import type { ShortcutAction, ShortcutScope } from '../scope'

const ARROWS = ['Left', 'Right', 'Up', 'Down'] as const

const arrows = (action: string, modifier: string): ShortcutAction[] =>
  ARROWS.map((side) => ({ id: `${action}_${side.toLowerCase()}`, keys: [`${modifier}Arrow${side}`], repeats: true }))

export default {
  scope: 'map',
  order: 35,
  words: 'map:shortcuts',
  actions: [
    { id: 'lasso', keys: ['l'] },
    { id: 'move', keys: ['v'] },
    ...arrows('walk', ''),
    ...arrows('pan', 'alt+'),
    { id: 'select', keys: ['Space'] },
    { id: 'select_in_sight', keys: ['a', 'mod+a'] },
    { id: 'select_none', keys: ['Escape'] },
    { id: 'similar', keys: ['Enter'] },
    ...Array.from({ length: 9 }, (_, index) => ({
      id: `label_${index + 1}`,
      keys: [String(index + 1)],
      word: 'label',
      params: { number: index + 1 },
    })),
    { id: 'quarantine', keys: ['q'] },
    { id: 'delete', keys: ['Delete', 'Backspace'] },
    { id: 'zoom_in', keys: ['+', '='], repeats: true },
    { id: 'zoom_out', keys: ['-'], repeats: true },
    { id: 'fit', keys: ['0', 'f'] },
    { id: 'search', keys: ['/'] },
    { id: 'redraw', keys: ['r'] },
    { id: 'help', keys: ['?'] },
  ],
} satisfies ShortcutScope
