import { Code, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatLatency } from '../../../charts/format/format'
import { ScoreBars } from '../../../charts/score-bars/score-bars'
import { useProject } from '../../../lib/project/project'
import type { Prediction } from '../api/types'
import { scoresOf } from '../model/scores'

interface TryAnswerProps {
  answer: Prediction
  view: 'bars' | 'json'
}

/** What the model said of one picture, as bars or as it came. */
export function TryAnswer({ answer, view }: TryAnswerProps) {
  const { t } = useTranslation('deployments')
  const colors = new Map(useProject().data?.label_set.labels.map((label) => [label.name, label.color]))
  const scores = scoresOf(answer).map((score) => ({ ...score, color: colors.get(score.label) }))
  if (view === 'json') {
    return (
      <Code block mah={320} style={{ overflow: 'auto' }}>
        {JSON.stringify(answer, null, 2)}
      </Code>
    )
  }
  return (
    <Stack gap="sm">
      {scores.length ? <ScoreBars scores={scores} /> : <Text size="sm">{t('try.nothing')}</Text>}
      <Text size="xs" c="dimmed">
        {t('try.latency', { time: formatLatency(answer.latency_ms) })}
      </Text>
    </Stack>
  )
}
