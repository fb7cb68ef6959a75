import i18next from 'i18next'
import { useTranslation } from 'react-i18next'

/** Says why a call was refused, by its code; of a code without words the code. */
export function useCallError(): (code: string) => string {
  const { t } = useTranslation('deployments')
  return (code) => {
    if (i18next.exists(`deployments:log.code.${code}`)) return t(`log.code.${code}` as 'log.code.json_invalid')
    return i18next.exists(`refusals:${code}.title`) ? i18next.t(`refusals:${code}.title`) : code
  }
}
