import type { CardProps } from '../items-card'
import classes from '../items-card.module.css'

/** Four pictures beside each other. */
export default function Card({ items }: CardProps) {
  return (
    <div className={`${classes.card} ${classes.pictures}`}>
      {items.map(
        ({ thumbnail_url }) => thumbnail_url && <img key={thumbnail_url} src={thumbnail_url} alt="" loading="lazy" decoding="async" />,
      )}
    </div>
  )
}
