import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../charts/format/format'

/** A parameter's value as people read it. */
export function useParamWord(): (value: string | number | boolean) => string {
  const { t } = useTranslation('studies')
  return (value) => {
    if (typeof value === 'boolean') return t(value ? 'trial.yes' : 'trial.no')
    return typeof value === 'number' ? formatNumber(value) : value
  }
}
