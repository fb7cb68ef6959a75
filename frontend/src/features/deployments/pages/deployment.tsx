import { Alert, Anchor, Code, Group, SimpleGrid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { useModelName, useTask } from '../../../lib/project/task'
import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { StateBadge } from '../../../ui/state-badge'
import { useDeployment, useModelChoices } from '../api/get-deployments'
import type { Deployment } from '../api/types'
import { CallLog } from '../components/call-log'
import { CallMetrics } from '../components/call-metrics'
import { DeploymentActions } from '../components/deployment-actions'
import { FeedbackPanel } from '../components/feedback-panel'
import { Snippets } from '../components/snippets'
import { formNamed } from '../try-out'

/** A published model: try it, call it, watch it, learn from it. */
export function Component() {
  const { deployment: id = '' } = useParams()
  const deployment = useDeployment(id)
  if (deployment.isPending) return <LoadingState />
  if (deployment.isLoadingError) return <ErrorState error={deployment.error} onRetry={() => void deployment.refetch()} />
  return <DeploymentPage deployment={deployment.data} />
}

function DeploymentPage({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const task = useTask().data
  const tryOut = task && formNamed(task.ui.tryout_form)
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
          {tryOut ? <tryOut.Form deployment={deployment} /> : <LoadingState />}
          <Snippets deployment={deployment} />
        </SimpleGrid>
        <CallLog deployment={deployment.id} />
        <FeedbackPanel deployment={deployment} />
      </Stack>
    </>
  )
}

function Address({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const modelName = useModelName()
  const model = useModelChoices(deployment.project).data?.find((each) => each.id === deployment.artefact)
  return (
    <Group gap={6}>
      <Code>{deployment.url}</Code>
      <CopyButton value={deployment.url} />
      <Anchor component={Link} to={`/projects/${deployment.project}/models/${deployment.artefact}`} size="sm">
        {model
          ? t('form.model_choice', { number: model.number, name: modelName(model.family, model.size, model.num_members) })
          : t('detail.model')}
      </Anchor>
    </Group>
  )
}
