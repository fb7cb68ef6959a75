import { useTranslation } from 'react-i18next'

import classes from './judged-card.module.css'

interface JudgedPairProps {
  /** Null leaves it out. */
  truth: string | null
  answer: string
  isRight: boolean
  /** Names and values below. */
  more?: readonly (readonly [name: string, value: string])[]
}

/** Truth and prediction, below each other, in large type. */
export function JudgedPair({ truth, answer, isRight, more = [] }: JudgedPairProps) {
  const { t } = useTranslation('report')
  return (
    <dl className={classes.pair}>
      {truth !== null && (
        <>
          <dt>{t('items.truth')}</dt>
          <dd>{truth}</dd>
        </>
      )}
      <dt>{t('items.answer')}</dt>
      <dd className={isRight ? undefined : classes.wrong}>{answer}</dd>
      {more.map(([name, value]) => (
        <div key={name} className={classes.outcome}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
