/** A result as the kinds of items and of answers know an item. Pure. */
import type { Item } from '../../../lib/api/types'
import type { Result } from '../api/types'

/** Sides as far as there are some; of a file that was sent nothing else is kept. */
export const mediaOf = ({ width, height }: Pick<Result, 'width' | 'height'>): Item['media'] => ({
  width,
  height,
  format: '',
  size_bytes: 0,
})
