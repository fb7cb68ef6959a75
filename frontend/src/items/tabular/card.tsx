import type { CardProps } from '../items-card'
import classes from '../items-card.module.css'

const COLUMNS = 4
const ROWS = 3

/** The beginning of the table. */
export default function Card({ items }: CardProps) {
  const rows = items.slice(0, ROWS).map(({ row }) => row?.cells ?? {})
  const names = Object.keys(rows[0] ?? {}).slice(0, COLUMNS)
  return (
    <div className={classes.card}>
      <table className={classes.table}>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, place) => (
            <tr key={place}>
              {names.map((name) => (
                <td key={name}>{cells[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
