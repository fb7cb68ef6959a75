/** A click on an object makes its mask with a network. Enter accepts. */
import { idleClicks } from '../../clicks'
import type { Tool } from '../../shape'

export default {
  name: 'click_mask',
  order: 19,
  makes: 'mask',
  needs: 'assist',
  switches: ['polygon'],
  start: (editor) => idleClicks(editor, () => editor.assist),
} satisfies Tool
