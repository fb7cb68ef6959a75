import type { Tool } from '../../shape'
import { idleStroke } from '../../shapes/mask/stroke'

/** Wipes pixels off the chosen mask, or off the one under the pointer; with Alt held it paints. */
export default { name: 'eraser', order: 17, makes: 'mask', isHeld: true, start: (editor) => idleStroke(editor, true) } satisfies Tool
