import { Alert, Paper, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { useFailureText } from '../../../lib/failure-text'
import { formatNumber } from '../../../lib/format'
import { Progress } from '../../../ui/progress'
import type { Run } from '../api/types'
import { paceOf, type Sample, sampled } from '../model/pace'
import { isRunning } from '../model/run-state'

interface RunProgressProps {
  run: Run
  /** When the server reported it. */
  asOf_ms: number
}

/** How far a run is, how many results come a second and how long it still takes; why it broke off, where it did. */
export function RunProgress({ run, asOf_ms }: RunProgressProps) {
  const { t } = useTranslation('predictions')
  const failureText = useFailureText()
  const pace = usePace(run, asOf_ms)
  const { job, num_results, num_failed, num_asked, num_expected, error_rate } = run
  const counts = [
    num_expected === null
      ? t('progress.results', { count: num_results, done: formatNumber(num_results) })
      : t('progress.of', { count: num_expected, done: formatNumber(num_results), all: formatNumber(num_expected) }),
    error_rate !== null && num_asked > 0 && t('progress.asked', { count: num_asked, number: formatNumber(num_asked) }),
    error_rate !== null && t('progress.error_rate', { rate: formatFraction(error_rate, 0) }),
    num_failed > 0 && t('progress.failed', { count: num_failed, number: formatNumber(num_failed) }),
    isRunning(run) &&
      pace !== null &&
      t('progress.pace', { pace: formatNumber(pace < 10 ? Math.round(pace * 10) / 10 : Math.round(pace)) }),
  ]
  const words = counts.filter(Boolean).join(' · ')
  const failure = job?.error && !isRunning(run) ? failureText(job.error) : null
  return (
    <>
      {failure && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title={failure.message}>
          {failure.hint}
        </Alert>
      )}
      <section aria-label={t('progress.title')}>
        {job && isRunning(run) ? (
          <Paper>
            <Progress
              fraction={job.progress_fraction}
              label={[job.is_stopping ? t('jobs:stopping') : t(`common:state.${job.state}`), words].join(' · ')}
              remainingSeconds={job.remaining_s}
              isMoving={job.state === 'running'}
            />
          </Paper>
        ) : (
          <Text size="sm">{words}</Text>
        )}
      </section>
    </>
  )
}

function usePace({ job, num_results }: Run, at_ms: number): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const next = job?.state === 'running' ? sampled(samples, { at_ms, num_results }) : samples
  if (next !== samples) setSamples(next)
  return paceOf(next)
}
