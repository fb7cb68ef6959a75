import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatLatency } from '../../../charts/format/format'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Beside } from '../../../ui/try-out/beside'
import { CutLabels } from '../../../ui/try-out/cut-labels'
import type { TryOutAnswers } from '../../try-out'
import { RowReasons } from '../row-reasons'
import { useRowAnswer, useRowExplanation } from './api'
import classes from './row-form.module.css'

interface RowAnswerProps {
  deployment: string
  target: string
  /** Empty where a number is predicted. */
  labels: readonly string[]
  /** Null while the deployment does not run. */
  row: Record<string, string> | null
  /** The form is ahead of the row. */
  isBehind: boolean
  answers: TryOutAnswers
}

/** The prediction of the row, and what each column adds to it. Keeps its place while the next answer is on its way. */
export function RowAnswer({ deployment, target, labels, row, isBehind, answers: { renderPrediction, format } }: RowAnswerProps) {
  const { t } = useTranslation('deployments')
  const [label, setLabel] = useState<string | null>(null)
  const [top, setTop] = useState<number | undefined>(undefined)
  const answer = useRowAnswer(deployment, row, top)
  const why = useRowExplanation(deployment, row, label)
  if (row === null) return null
  return (
    <div className={classes.answer} data-stale={isBehind || answer.isPlaceholderData || undefined} aria-live="polite">
      <Stack gap="lg">
        <div>
          <Text size="xs" c="dimmed">
            {target}
          </Text>
          {answer.isPending && <LoadingState rows={2} height={24} />}
          {answer.isError && <ErrorState error={answer.error} />}
          {answer.data && !answer.isError && renderPrediction(answer.data.predictions[0]?.annotations ?? [])}
          {answer.data && !answer.isError && <CutLabels annotations={answer.data.predictions[0]?.annotations ?? []} onAll={setTop} />}
          {answer.data && !answer.isError && <Beside prediction={answer.data.predictions[0]} />}
          {answer.data && !answer.isError && (
            <Text size="xs" c="dimmed" mt={4}>
              {t('try.latency', { time: formatLatency(answer.data.latency_ms) })}
            </Text>
          )}
        </div>
        <div>
          <Text size="sm" fw={600} mb={6}>
            {t('try.row.why')}
          </Text>
          {labels.length > 1 && (
            <Select
              size="xs"
              w={200}
              mb="xs"
              aria-label={t('try.row.label')}
              value={label ?? ''}
              data={[{ value: '', label: t('try.row.best') }, ...labels.map((name) => ({ value: name, label: name }))]}
              onChange={(chosen) => setLabel(chosen || null)}
            />
          )}
          {why.isPending && <LoadingState rows={6} height={18} />}
          {why.isError && <ErrorState error={why.error} />}
          {why.data && !why.isError && <RowReasons explained={why.data} format={format} />}
        </div>
      </Stack>
    </div>
  )
}
