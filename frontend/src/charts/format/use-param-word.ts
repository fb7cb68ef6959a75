import { useTranslation } from 'react-i18next'

import { formatNumber } from './format'

/** A parameter's value as people read it. */
export function useParamWord(): (value: string | number | boolean) => string {
  const { t } = useTranslation('charts')
  return (value) => {
    if (typeof value === 'boolean') return t(value ? 'param.yes' : 'param.no')
    return typeof value === 'number' ? formatNumber(value) : value
  }
}
