import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { useProject } from '../../lib/project/project'
import classes from '../judged-card.module.css'
import { JudgedPair } from '../judged-pair'
import type { JudgedFactsProps } from '../kind'
import { hasAreas, maskJudgement } from './judgement'
import { OutcomeShares } from './outcome-shares'
import { ViewSwitch } from '../view-switch'

/** What lies over the picture, how much of it is right, and how well each label's area fits. */
export function JudgedFacts({ item, hasTruth = true }: JudgedFactsProps) {
  const { t } = useTranslation('report')
  const colors = new Map(useProject().data?.label_set.labels.map(({ name, color }) => [name, color]))
  const { width_px, height_px } = item
  const nothing = t('items.nothing')
  if (!hasAreas(item)) return <JudgedPair truth={nothing} answer={nothing} isRight />
  const { shares, labels } = maskJudgement(item, { width_px: width_px ?? 1, height_px: height_px ?? 1 }, true)
  return (
    <>
      {hasTruth && <ViewSwitch />}
      <Text size="sm" c="dimmed">
        {t('masks.of_picture')}
      </Text>
      <dl className={classes.pair}>
        <OutcomeShares shares={shares} />
      </dl>
      <Text size="sm" c="dimmed">
        {t('masks.overlap_by_label')}
      </Text>
      <ul className={classes.boxes}>
        {labels.map(({ label, overlap_fraction }) => (
          <li key={label}>
            <span className={classes.swatch} style={{ background: colors.get(label) }} />
            <span>{label}</span>
            <span>{formatFraction(overlap_fraction)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
