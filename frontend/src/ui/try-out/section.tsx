import { Box, Code, Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatLatency } from '../../charts/format/format'
import type { Answer } from '../../lib/api/answer'
import { ErrorState } from '../error-state'
import { Section } from '../section'
import { Beside } from './beside'
import { CutLabels } from './cut-labels'
import classes from './section.module.css'

type Response = Answer<'PredictOut'>

export type Predictions = Response['predictions'][number]['annotations']

export interface TryOutSectionProps {
  isRunning: boolean
  predict: Pick<UseMutationResult<Response, Error, never>, 'data' | 'error' | 'isError' | 'isPending'>
  /** Draws the predictions of one item. */
  renderPrediction: (annotations: Predictions) => ReactNode
  /** Asks the same once more for so many labels. */
  onAll: (top: number) => void
  /** Gives the input half of the width. */
  isWide?: boolean
  /** Stands below the predictions. */
  below?: ReactNode
  /** The input. */
  children: ReactNode
}

/** The frame of a form to try a deployment out: the input, and beside it the answer drawn or as JSON. */
export function TryOutSection({ isRunning, predict, renderPrediction, onAll, isWide, below, children }: TryOutSectionProps) {
  const { t } = useTranslation('deployments')
  const [view, setView] = useState<'answer' | 'json'>('answer')
  const annotations = predict.data?.predictions[0]?.annotations ?? []
  return (
    <Section
      title={t('try.title')}
      help={isRunning ? undefined : t('try.not_running')}
      actions={
        predict.data && (
          <SegmentedControl
            size="xs"
            value={view}
            onChange={(value) => setView(value as 'answer' | 'json')}
            data={[
              { value: 'answer', label: t('try.answer') },
              { value: 'json', label: t('try.json') },
            ]}
          />
        )
      }
    >
      <div className={classes.root} data-wide={isWide || undefined}>
        <div>{children}</div>
        <div className={classes.answer} aria-live="polite">
          {predict.isPending && (
            <Group gap="xs">
              <Loader size="xs" />
              <Text size="sm">{t('try.running')}</Text>
            </Group>
          )}
          {predict.isError && <ErrorState error={predict.error} />}
          {predict.data && !predict.isPending && view === 'json' && (
            <Code block mah={320} style={{ overflow: 'auto' }}>
              {JSON.stringify(predict.data, null, 2)}
            </Code>
          )}
          {predict.data && !predict.isPending && view === 'answer' && (
            <>
              <Stack gap="sm">
                {annotations.length ? renderPrediction(annotations) : <Text size="sm">{t('try.nothing')}</Text>}
                {predict.data.cut_texts?.length ? (
                  <Text size="xs" c="orange">
                    {t('try.text_cut')}
                  </Text>
                ) : null}
                <CutLabels annotations={annotations} onAll={onAll} />
                <Beside prediction={predict.data.predictions[0]} />
                <Text size="xs" c="dimmed">
                  {t('try.latency', { time: formatLatency(predict.data.latency_ms) })}
                </Text>
              </Stack>
              {below && <Box mt="md">{below}</Box>}
            </>
          )}
        </div>
      </div>
    </Section>
  )
}
