/** A click takes the connected area of a colour, as far as the tolerance reaches. Enter accepts. */
import { idleClicks } from '../../clicks'
import type { Tool } from '../../shape'

export default {
  name: 'wand',
  order: 20,
  makes: 'mask',
  needs: 'regions',
  hasTolerance: true,
  switches: ['polygon', 'tolerance'],
  start: (editor) => idleClicks(editor, () => editor.regions),
} satisfies Tool
