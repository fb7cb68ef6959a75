import type { CardProps } from '../items-card'
import classes from '../items-card.module.css'

/** How the first texts begin, a line each. */
export default function Card({ items }: CardProps) {
  return (
    <div className={`${classes.card} ${classes.lines}`}>
      {items.map(({ text }, place) => (
        <div key={place} dir="auto">
          {text}
        </div>
      ))}
    </div>
  )
}
