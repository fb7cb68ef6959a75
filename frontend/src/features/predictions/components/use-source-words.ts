import { useTranslation } from 'react-i18next'

import type { Run } from '../api/types'

/** What a run is about, in a line. */
export function useSourceWords(): (run: Run) => string {
  const { t } = useTranslation('predictions')
  return (run) => {
    if (run.source === 'version')
      return run.version_number === null ? t('of.version_gone') : t('of.version', { number: run.version_number })
    if (run.source === 'files') {
      const [first, ...more] = run.files
      return more.length ? t('of.files', { name: first?.name, count: more.length }) : (first?.name ?? '')
    }
    const { state, split, labels, text } = run.filter ?? {}
    const conditions = [
      state && t(`common:state.${state}`),
      labels?.join(', '),
      split && t(`charts:split.${split}`),
      text && t('of.search', { text }),
    ].filter(Boolean)
    return [t('of.items'), ...conditions].join(' · ')
  }
}
