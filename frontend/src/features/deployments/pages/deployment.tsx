import { Alert, Code, Group, SimpleGrid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'

import { tryOutForm } from '../../../items/try-out'
import { useTask } from '../../../lib/project/task'
import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { StateBadge } from '../../../ui/state-badge'
import { useDeployment } from '../api/get-deployments'
import type { Deployment } from '../api/types'
import { AlertsSection } from '../components/alerts-section'
import { CallLog } from '../components/call-log'
import { CallMetrics } from '../components/call-metrics'
import { DeploymentActions } from '../components/deployment-actions'
import { FeedbackPanel } from '../components/feedback-panel'
import { ModelLink } from '../components/model-label'
import { RetrainSection } from '../components/retrain-section'
import { Snippets } from '../components/snippets'
import { TrafficSection } from '../components/traffic-section'
import { FurtherTryOut, TryOut } from '../components/try-out'
import { WatchSection } from '../components/watch-section'

/** A published model: try it, call it, watch it, learn from it. */
export function Component() {
  const { deployment: id = '' } = useParams()
  const deployment = useDeployment(id)
  if (deployment.isPending) return <LoadingPage />
  if (deployment.isLoadingError) return <ErrorState error={deployment.error} onRetry={() => void deployment.refetch()} />
  return <DeploymentPage deployment={deployment.data} />
}

function DeploymentPage({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const task = useTask().data
  const tryOut = task && tryOutForm(task.ui.tryout_form)
  return (
    <>
      <PageHeader
        name={deployment.name}
        title={
          <>
            {deployment.name} <StateBadge state={deployment.state} isMoving={deployment.state === 'starting'} />
          </>
        }
        subtitle={<Address deployment={deployment} />}
        actions={<DeploymentActions deployment={deployment} />}
      />
      <Stack>
        {deployment.state === 'failed' && (
          <Alert color="red" title={t('detail.failed')}>
            {deployment.message}
          </Alert>
        )}
        <CallMetrics deployment={deployment} />
        <SimpleGrid cols={{ base: 1, lg: tryOut?.isWide ? 1 : 2 }}>
          {tryOut ? <TryOut deployment={deployment} Form={tryOut.Form} /> : <LoadingState />}
          <Snippets deployment={deployment} />
        </SimpleGrid>
        {task && <FurtherTryOut deployment={deployment} />}
        <WatchSection deployment={deployment} />
        <AlertsSection deployment={deployment.id} />
        <TrafficSection deployment={deployment} />
        <RetrainSection deployment={deployment} />
        <CallLog deployment={deployment.id} />
        <FeedbackPanel deployment={deployment} />
      </Stack>
    </>
  )
}

function Address({ deployment }: { deployment: Deployment }) {
  return (
    <Group gap={6}>
      <Code>{deployment.url}</Code>
      <CopyButton value={deployment.url} />
      <ModelLink project={deployment.project} artefact={deployment.artefact} />
    </Group>
  )
}
