import { useTranslation } from 'react-i18next'

import { formatFraction, formatNumber } from '../../../charts/format/format'
import type { ColumnWarning } from '../api/types'

/** Says what a warning means, in the words of the page. */
export function useWarningWords(): (warning: ColumnWarning) => string {
  const { t } = useTranslation('columns')
  return ({ code, column, other, value, share }) =>
    t(`warning.${code}`, {
      column: column ?? '',
      other: other ?? '',
      value: value ?? '',
      share: formatFraction(share),
      strength: formatNumber(share),
    })
}
