import { useTranslation } from 'react-i18next'

import { isMissing } from '../lib/table/cells'
import classes from './cell-text.module.css'

/** A cell as it came, on one line; an empty one is marked as such. */
export function CellText({ cell, isNumber = false }: { cell: string | null | undefined; isNumber?: boolean }) {
  const { t } = useTranslation('common')
  if (cell == null || cell === '') return <span className={classes.missing}>{t('cell.missing')}</span>
  return (
    <span
      className={classes.cell}
      data-number={isNumber || undefined}
      data-missing={isMissing(cell) || undefined}
      title={cell.length > 24 ? cell : undefined}
      dir="auto"
    >
      {cell}
    </span>
  )
}
