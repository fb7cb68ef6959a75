import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { COLORS } from '../outcomes'
import { OutcomeCounts } from '../outcome-counts'
import classes from '../judged-card.module.css'
import { JudgedPair } from '../judged-pair'
import type { JudgedFactsProps } from '../kind'
import { ViewSwitch } from '../view-switch'
import { hasObjects, objectJudgement } from './judgement'

/** What lies over the picture, and every object that was found, missed or imagined, with its score. */
export function JudgedFacts({ item, thresholds, hasTruth = true }: JudgedFactsProps) {
  const { t } = useTranslation('report')
  const nothing = t('items.nothing')
  if (!hasObjects(item)) return <JudgedPair truth={nothing} answer={nothing} isRight />
  const { objects, counts } = objectJudgement(item, thresholds)
  return (
    <>
      {hasTruth && <ViewSwitch />}
      <dl className={classes.pair}>
        <OutcomeCounts counts={counts} />
      </dl>
      <ul className={classes.boxes}>
        {objects.map(({ annotation, outcome, score_fraction }, index) => (
          <li key={index}>
            <span className={classes.swatch} style={{ background: COLORS[outcome] }} />
            <span>
              {annotation.label} · {t(`boxes.${outcome}`)}
            </span>
            <span>{score_fraction === null ? '' : formatFraction(score_fraction)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
