import { Stack, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { type Outcome, ratesOf, type ThresholdCounts } from '../model/threshold-counts'
import { Figure, Figures } from './figures'
import classes from './threshold-panel.module.css'

interface ThresholdCellsProps {
  label: string
  counts: ThresholdCounts
  /** Null where the items behind a count are not known. */
  onOutcome: ((outcome: Outcome) => void) | null
}

const ROWS = [
  ['found', 'missed'],
  ['false_alarm', 'rest'],
] as const satisfies Outcome[][]

/** The confusion of one label against all others, and the rates that follow from it. */
export function ThresholdCells({ label, counts, onOutcome }: ThresholdCellsProps) {
  const { t } = useTranslation('report')
  const rates = ratesOf(counts)
  return (
    <Stack gap="md" miw={0}>
      <Figures>
        {(['precision', 'recall', 'f1', 'accuracy'] as const).map(
          (name) =>
            (name !== 'accuracy' || rates.accuracy !== null) && (
              <Figure key={name} name={t(`charts:metric.${name}`)} value={formatFraction(rates[name])} />
            ),
        )}
      </Figures>
      <table className={classes.cells} aria-label={t('threshold.cells', { label })}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('threshold.predicted', { label })}</th>
            <th scope="col">{t('threshold.not_predicted', { label })}</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row, index) => (
            <tr key={index}>
              <th scope="row">{t(index === 0 ? 'threshold.actual' : 'threshold.not_actual', { label })}</th>
              {row.map((outcome) => (
                <td key={outcome} data-wrong={outcome === 'missed' || outcome === 'false_alarm' || undefined}>
                  <Count outcome={outcome} count={counts[outcome]} onOutcome={onOutcome} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Stack>
  )
}

interface CountProps {
  outcome: Outcome
  count: number | null
  onOutcome: ((outcome: Outcome) => void) | null
}

function Count({ outcome, count, onOutcome }: CountProps) {
  const { t } = useTranslation('report')
  if (count === null) return <span className={classes.count}>–</span>
  const shown = (
    <>
      <b>{count}</b> <span>{t(`threshold.outcome.${outcome}`)}</span>
    </>
  )
  if (!onOutcome || count === 0) return <span className={classes.count}>{shown}</span>
  return (
    <UnstyledButton className={classes.count} onClick={() => onOutcome(outcome)}>
      {shown}
    </UnstyledButton>
  )
}
