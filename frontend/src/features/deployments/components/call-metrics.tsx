import { Paper, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatLatency } from '../../../charts/format/format'
import { RelativeTime } from '../../../ui/relative-time'
import type { Deployment } from '../api/types'

/** What the calls have been like. */
export function CallMetrics({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const { metrics } = deployment
  const tiles = [
    { key: 'calls', value: metrics.calls },
    { key: 'errors', value: metrics.errors, isBad: metrics.errors > 0 },
    { key: 'p50', value: formatLatency(metrics.p50_ms) },
    { key: 'p95', value: formatLatency(metrics.p95_ms) },
    { key: 'last', value: metrics.last_call_at ? <RelativeTime value={metrics.last_call_at} /> : t('metrics.never') },
  ]
  return (
    <Paper>
      <SimpleGrid cols={{ base: 2, sm: 5 }}>
        {tiles.map((tile) => (
          <div key={tile.key}>
            <Text size="xs" c="dimmed">
              {t(`metrics.${tile.key}`)}
            </Text>
            <Text size="lg" fw={600} c={tile.isBad ? 'red' : undefined} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {tile.value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  )
}
