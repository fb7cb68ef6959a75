import type { Tool } from '../../shape'
import { idleStroke } from './stroke'

/** A brush; with Alt held it wipes. */
export default { name: 'mask', order: 16, makes: 'mask', isHeld: true, start: (editor) => idleStroke(editor, false) } satisfies Tool
