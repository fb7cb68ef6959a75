import type { LineProps } from '../kind'
import { excerptOf } from './excerpt'
import classes from './line.module.css'

/** The first lines of a text; where it was found by its words, the lines around them. */
export function Line({ item, search }: LineProps) {
  const { before, match: found, after } = excerptOf(item.text ?? '', search)
  return (
    <div className={classes.excerpt} dir="auto">
      {before}
      {found && <mark className={classes.found}>{found}</mark>}
      {after}
    </div>
  )
}
