import { IconUserQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Result } from '../api/types'
import classes from './results.module.css'

/** Stands before the answer where a person should look. */
export function AskMark({ result }: { result: Result }) {
  const { t } = useTranslation('predictions')
  if (!result.ask_a_person) return null
  const label = t('results.ask')
  return (
    <span className={classes.ask} role="img" aria-label={label} title={label}>
      <IconUserQuestion size={14} aria-hidden />
    </span>
  )
}
