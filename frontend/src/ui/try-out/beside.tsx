import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction } from '../../charts/format/format'
import type { Answer } from '../../lib/api/answer'

type Covered = Partial<Pick<Answer<'PredictOut'>['predictions'][number], 'ask_a_person' | 'possible_labels' | 'interval'>>

/** What an answer says besides: whether to ask a person, and which labels are possible; or between which numbers the truth lies. */
export function Beside({ prediction }: { prediction: Covered | undefined }) {
  const { t } = useTranslation('deployments')
  if (prediction?.interval) {
    const { low, high, error_rate } = prediction.interval
    return (
      <Text size="sm" c="dimmed">
        {t('try.between', { low: formatAmount(low), high: formatAmount(high), share: formatFraction(1 - error_rate, 0) })}
      </Text>
    )
  }
  if (prediction?.ask_a_person == null) return null
  const labels = prediction.possible_labels ?? []
  const reason = labels.length === 0 ? 'none' : labels.length === 1 ? 'other' : 'several'
  const shown = labels.length > SHOWN ? [...labels.slice(0, SHOWN), '…'] : labels
  return (
    <Badge
      variant="light"
      color={prediction.ask_a_person ? 'orange' : 'teal'}
      styles={{ root: { height: 'auto', whiteSpace: 'normal', textTransform: 'none' }, label: { whiteSpace: 'normal' } }}
    >
      {prediction.ask_a_person ? t(`try.person.${reason}`, { labels: shown.join(t('try.comma')) }) : t('try.person.not_needed')}
    </Badge>
  )
}

const SHOWN = 8
