import { Alert, Button, Collapse, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { useAlertState } from '../api/alerts'
import { AlertHistory } from './alert-history'
import { AlertsForm } from './alerts-form'

/** What the deployment is watched for, what is wrong now, and what was. */
export function AlertsSection({ deployment }: { deployment: string }) {
  const { t } = useTranslation('deployments')
  const canChange = useHasRole('engineer')
  const [isOpen, form] = useDisclosure()
  return (
    <Section
      title={t('alerts.title')}
      help={t('alerts.help')}
      actions={
        canChange && (
          <Button size="xs" variant="default" flex="none" aria-expanded={isOpen} onClick={form.toggle}>
            {t('alerts.settings')}
          </Button>
        )
      }
    >
      <Stack>
        <Now deployment={deployment} />
        <Collapse expanded={isOpen}>{isOpen && <AlertsForm deployment={deployment} />}</Collapse>
        <AlertHistory deployment={deployment} />
      </Stack>
    </Section>
  )
}

function Now({ deployment }: { deployment: string }) {
  const { t } = useTranslation('deployments')
  const localText = useLocalText()
  const state = useAlertState(deployment)
  if (state.isPending) return <LoadingState rows={1} />
  if (state.isLoadingError) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />
  const { standing, num_watched: count } = state.data
  if (standing.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {count > 0 ? t('alerts.well', { count }) : t('alerts.unwatched')}
      </Text>
    )
  return standing.map((each) => (
    <Alert key={each.id} color="orange" title={localText(each.title)}>
      {each.message && <Text size="sm">{localText(each.message)}</Text>}
      <Text size="xs" c="dimmed">
        {t('alerts.began')} <RelativeTime value={each.began_at} />
      </Text>
    </Alert>
  ))
}
