import { Text } from '@mantine/core'

import { formatMetric } from '../../../charts/format/format'
import type { Study, Trial } from '../api/types'

/** Between what a trial's value lies with 95% confidence; nothing where that is not known. */
export function ValueInterval({ study, trial }: { study: Study; trial: Trial }) {
  const ends = trial.evidence?.intervals[study.objective.name]
  if (!ends) return null
  return (
    <Text size="xs" c="dimmed">
      {formatMetric(study.objective.name, ends[0])} – {formatMetric(study.objective.name, ends[1])}
    </Text>
  )
}
