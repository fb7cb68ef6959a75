import { Alert, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatAmount } from '../../../charts/format/format'
import type { Artefact, NumberReach } from '../api/types'
import { firstRate, type LimitsSetBy, sharesOf } from '../model/coverage'
import { CoverageDefault } from './coverage-default'
import { Interval, Measured, Promised } from './coverage-figures'
import classes from './coverage-panel.module.css'
import { ErrorRates } from './error-rates'
import { Figure, Figures } from './figures'

interface IntervalPanelProps {
  artefact: Artefact
  /** Which other models set the limits; null where the one that answers did. */
  setBy: LimitsSetBy
  lines: readonly NumberReach[]
}

/** An error rate that is tried, and how far from the predicted number the true one may then be. */
export function IntervalPanel({ artefact, setBy, lines }: IntervalPanelProps) {
  const { t } = useTranslation('report')
  const [tried, setTried] = useState<number | undefined>(undefined)
  const own = lines.map((each) => ({ ...each, isEnough: each.reach !== null }))
  const rate = tried ?? firstRate(own, artefact.coverage?.error_rate)
  const line = own.find((each) => each.error_rate === rate)
  if (!line) return null
  return (
    <div className={classes.root}>
      <Stack gap="md" miw={0}>
        <ErrorRates lines={own} value={line.error_rate} onChange={setTried} />
        {line.isEnough ? (
          <Promised text={t('coverage.promise.number', { count: Math.round(line.error_rate * 100) })} setBy={setBy} />
        ) : (
          <Alert color="yellow" variant="light" p="xs">
            {t('coverage.few.all', { needed: line.num_needed })}
          </Alert>
        )}
        <CoverageDefault artefact={artefact} choice={line.isEnough ? { error_rate: line.error_rate, scope: 'all' } : null} words="number" />
      </Stack>
      <Stack gap="sm" miw={0}>
        <Figures>
          <Figure name={t('coverage.reach')} value={line.reach === null ? '–' : `± ${formatAmount(line.reach)}`} />
          <Figure
            name={t('coverage.covered')}
            value={line.measure ? <Interval share={sharesOf(line.measure).covered} interval={line.measure.interval} /> : '–'}
          />
        </Figures>
        {line.measure ? (
          <Measured measure={line.measure} errorRate={line.error_rate} />
        ) : (
          <Text size="xs" c="dimmed">
            {t('coverage.no_test')}
          </Text>
        )}
      </Stack>
    </div>
  )
}
