import { useTranslation } from 'react-i18next'

/** Says in a few words what a code of the prediction API means; one without words is shown as it is. */
export function useCodeWord(): (code: string) => string {
  const { t, i18n } = useTranslation('deployments')
  return (code) => (i18n.exists(`deployments:code.${code}`) ? t(`code.${code as 'cell_invalid'}`) : code)
}
