import { Code, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { formatLatency } from '../../../charts/format/format'
import type { Prediction } from '../api/types'

interface TryAnswerProps {
  answer: Prediction
  view: 'bars' | 'json'
}

/** What the model said of one picture, as bars or as it came. */
export function TryAnswer({ answer, view }: TryAnswerProps) {
  const { t } = useTranslation('deployments')
  const { Prediction } = useAnswerKind()
  const annotations = answer.predictions[0]?.annotations ?? []
  if (view === 'json') {
    return (
      <Code block mah={320} style={{ overflow: 'auto' }}>
        {JSON.stringify(answer, null, 2)}
      </Code>
    )
  }
  return (
    <Stack gap="sm">
      {annotations.length ? <Prediction annotations={annotations} /> : <Text size="sm">{t('try.nothing')}</Text>}
      <Text size="xs" c="dimmed">
        {t('try.latency', { time: formatLatency(answer.latency_ms) })}
      </Text>
    </Stack>
  )
}
