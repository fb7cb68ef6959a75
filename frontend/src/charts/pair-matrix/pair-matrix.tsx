import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../format/format'
import { type Pair, pairMatrix } from './matrix'
import classes from './pair-matrix.module.css'

interface PairMatrixProps {
  /** Strongest first. */
  pairs: readonly Pair[]
  max?: number
}

/** How columns go together, the strongest pairs' columns against each other: the darker, the stronger. */
export function PairMatrixChart({ pairs, max = 14 }: PairMatrixProps) {
  const { t } = useTranslation('charts')
  const { names, cells } = pairMatrix(pairs, max)
  const [pointed, setPointed] = useState<[number, number] | null>(null)
  const description = pointed && sentence(pointed)
  function sentence([row, column]: [number, number]): string {
    const value = cells[row]?.[column] ?? null
    const [first, second] = [names[row] ?? '', names[column] ?? '']
    return value === null ? t('pairs.weak', { first, second }) : t('pairs.cell', { first, second, value: formatNumber(value) })
  }
  return (
    <div className={classes.scroll}>
      <table className={classes.root} aria-label={t('pairs.label', { count: names.length })} onMouseLeave={() => setPointed(null)}>
        <thead>
          <tr>
            <td />
            {names.map((name, column) => (
              <th key={name} scope="col" data-on={pointed?.[1] === column || undefined}>
                <span title={name}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((row, index) => (
            <tr key={names[index]}>
              <th scope="row" title={names[index]} data-on={pointed?.[0] === index || undefined}>
                {names[index]}
              </th>
              {row.map((value, column) => (
                <td
                  key={names[column]}
                  className={classes.cell}
                  data-self={index === column || undefined}
                  style={{ '--strength': `${Math.round((index === column ? 0 : (value ?? 0)) * 100)}%` } as React.CSSProperties}
                  aria-label={value === null ? t('pairs.unknown') : formatNumber(value)}
                  onMouseEnter={() => setPointed(index === column ? null : [index, column])}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.description} aria-live="off">
        {description ?? t('pairs.hint')}
      </p>
    </div>
  )
}
