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

/** How columns go together, the strongest pairs' columns against each other, each pair once: the darker, the stronger. */
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
        <tbody>
          {cells.slice(1).map((row, before) => (
            <tr key={names[before + 1]}>
              <th scope="row" title={names[before + 1]} data-on={pointed?.[0] === before + 1 || undefined}>
                {names[before + 1]}
              </th>
              {row.slice(0, before + 1).map((value, column) => (
                <td
                  key={names[column]}
                  className={classes.cell}
                  data-inverse={(value ?? 0) < 0 || undefined}
                  style={{ '--strength': `${Math.round(Math.abs(value ?? 0) * 100)}%` } as React.CSSProperties}
                  aria-label={value === null ? t('pairs.unknown') : formatNumber(value)}
                  onMouseEnter={() => setPointed([before + 1, column])}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            {names.slice(0, -1).map((name, column) => (
              <th key={name} scope="col" data-on={pointed?.[1] === column || undefined}>
                <span title={name}>{name}</span>
              </th>
            ))}
          </tr>
        </tfoot>
      </table>
      <Scale isSigned={pairs.some((pair) => pair.is_inverse)} />
      <p className={classes.description} aria-live="off">
        {description ?? t('pairs.hint')}
      </p>
    </div>
  )
}

function Scale({ isSigned }: { isSigned: boolean }) {
  const { t } = useTranslation('charts')
  return (
    <p className={classes.scale}>
      {isSigned && (
        <>
          <span>{formatNumber(-1)}</span>
          <i data-inverse />
        </>
      )}
      <span>{formatNumber(0)}</span>
      <i />
      <span>{formatNumber(1)}</span>
      {isSigned && <span className={classes.meaning}>{t('pairs.inverse')}</span>}
    </p>
  )
}
