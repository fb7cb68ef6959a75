import { Badge, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useAlerts } from '../api/alerts'
import type { AlertDelivery, DeploymentAlert } from '../api/types'

const COLORS = { standing: 'orange', ended: 'teal', happened: 'gray' } as const
const DELIVERY_COLORS = { waiting: undefined, delivered: 'dimmed', failed: 'red' } as const

/** Alerts and whether the messages about them arrived, the latest first. */
export function AlertHistory({ deployment }: { deployment: string }) {
  const { t } = useTranslation('deployments')
  const alerts = useAlerts(deployment)
  const rows = alerts.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Stack gap="xs">
      <Text component="h3" size="sm" fw={600} m={0}>
        {t('alerts.history')}
      </Text>
      {alerts.isPending && <LoadingState rows={1} />}
      {alerts.isLoadingError && <ErrorState error={alerts.error} onRetry={() => void alerts.refetch()} />}
      {alerts.data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('alerts.empty')}
        </Text>
      )}
      {rows.map((alert) => (
        <Entry key={alert.id} alert={alert} />
      ))}
      <LoadMore query={alerts} />
    </Stack>
  )
}

function stateOf({ began_at, ended_at }: DeploymentAlert) {
  if (ended_at === null) return 'standing'
  return ended_at === began_at ? 'happened' : 'ended'
}

function Entry({ alert }: { alert: DeploymentAlert }) {
  const { t } = useTranslation('deployments')
  const localText = useLocalText()
  const state = stateOf(alert)
  return (
    <div>
      <Group gap="xs">
        <Badge color={COLORS[state]}>{t(`alerts.state.${state}`)}</Badge>
        <Text size="sm">
          {localText(alert.title)} · <RelativeTime value={alert.began_at} />
          {state === 'ended' && alert.ended_at && (
            <>
              {' – '}
              <RelativeTime value={alert.ended_at} />
            </>
          )}
        </Text>
      </Group>
      {[alert.message, alert.end_message].map(
        (message) =>
          message && (
            <Text key={message.en} size="xs">
              {localText(message)}
            </Text>
          ),
      )}
      {alert.deliveries.map((delivery) => (
        <DeliveryLine key={delivery.id} delivery={delivery} />
      ))}
    </div>
  )
}

function DeliveryLine({ delivery }: { delivery: AlertDelivery }) {
  const { t } = useTranslation('deployments')
  const localText = useLocalText()
  const { event, target, state, reason, status, next_at } = delivery
  return (
    <Text size="xs" c={DELIVERY_COLORS[state]} style={{ overflowWrap: 'anywhere' }}>
      {t(`alerts.event.${event}`)} · {target} · {t(`alerts.delivery.${state}`)}
      {reason && ` (${status === null ? localText(reason) : `${status}: ${localText(reason)}`})`}
      {next_at && delivery.attempts > 0 && (
        <>
          {' · '}
          {t('alerts.next')} <RelativeTime value={next_at} />
        </>
      )}
    </Text>
  )
}
