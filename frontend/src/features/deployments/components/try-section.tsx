import { Box, Group, Loader, SegmentedControl, Text } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { Section } from '../../../ui/section'
import type { Prediction } from '../api/types'
import { TryAnswer } from './try-answer'
import classes from './try-out.module.css'

interface TrySectionProps {
  isRunning: boolean
  predict: Pick<UseMutationResult<Prediction, Error, never>, 'data' | 'error' | 'isError' | 'isPending'>
  /** Gives what is asked about half of the room. */
  isWide?: boolean
  /** What is said of the answer below it. */
  below?: ReactNode
  /** What is asked about. */
  children: ReactNode
}

/** The frame of a try: what is asked about, and beside it the answer as bars or as it came. */
export function TrySection({ isRunning, predict, isWide, below, children }: TrySectionProps) {
  const { t } = useTranslation('deployments')
  const [view, setView] = useState<'bars' | 'json'>('bars')
  return (
    <Section
      title={t('try.title')}
      help={isRunning ? undefined : t('try.not_running')}
      actions={
        predict.data && (
          <SegmentedControl
            size="xs"
            value={view}
            onChange={(value) => setView(value as 'bars' | 'json')}
            data={[
              { value: 'bars', label: t('try.bars') },
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
          {predict.data && !predict.isPending && (
            <>
              <TryAnswer answer={predict.data} view={view} />
              {below && view === 'bars' && <Box mt="md">{below}</Box>}
            </>
          )}
        </div>
      </div>
    </Section>
  )
}
