import { formatFraction } from '../../charts/format/format'
import { JudgedPair } from '../judged-pair'
import classes from '../judged-card.module.css'
import type { JudgedCardProps } from '../kind'
import { COLORS } from '../outcomes'
import { boxJudgement, hasBoxes } from './judgement'
import { OutcomeCounts } from '../outcome-counts'
import { useTranslation } from 'react-i18next'

/** Every object that a detector found, missed or imagined, with its score. */
export function JudgedFacts({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('report')
  const nothing = t('items.nothing')
  if (!hasBoxes(item)) return <JudgedPair truth={nothing} answer={nothing} isRight />
  const { boxes, counts } = boxJudgement(item, thresholds)
  return (
    <>
      <dl className={classes.pair}>
        <OutcomeCounts counts={counts} />
      </dl>
      <ul className={classes.boxes}>
        {boxes.map(({ label, outcome, score_fraction }, index) => (
          <li key={index}>
            <span className={classes.swatch} style={{ background: COLORS[outcome] }} />
            <span>
              {label} · {t(`boxes.${outcome}`)}
            </span>
            <span>{score_fraction === null ? '' : formatFraction(score_fraction)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
