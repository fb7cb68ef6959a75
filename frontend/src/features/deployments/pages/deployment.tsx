import { Alert, Code, Group, SimpleGrid, Stack, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'

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
import { TruthPanel } from '../components/truth-panel'
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
        <Parts deployment={deployment} />
      </Stack>
    </>
  )
}

const PARTS = ['use', 'watch', 'models', 'calls'] as const

/** What one does with a deployment, one thing at a time; the address names which. */
function Parts({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const [search, setSearch] = useSearchParams()
  const task = useTask().data
  const tryOut = task && tryOutForm(task.ui.tryout_form)
  const chosen = PARTS.find((part) => part === search.get('tab')) ?? 'use'
  // What was tried stays while one looks at another tab; before it is opened, nothing is loaded for it.
  const [hasTried, setHasTried] = useState(chosen === 'use')
  return (
    <Tabs
      value={chosen}
      onChange={(tab) => {
        setHasTried(hasTried || tab === 'use')
        setSearch({ tab: tab ?? 'use' }, { replace: true })
      }}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {PARTS.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {t(`parts.${part}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="use" keepMounted={hasTried}>
        <Stack>
          <SimpleGrid cols={{ base: 1, lg: tryOut?.isWide ? 1 : 2 }}>
            {tryOut ? <TryOut deployment={deployment} Form={tryOut.Form} /> : <LoadingState />}
            <Snippets deployment={deployment} />
          </SimpleGrid>
          {task && <FurtherTryOut deployment={deployment} />}
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="watch">
        <Stack>
          <WatchSection deployment={deployment} />
          <AlertsSection deployment={deployment.id} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="models">
        <Stack>
          <TrafficSection deployment={deployment} />
          <RetrainSection deployment={deployment} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="calls">
        <Stack>
          <CallLog deployment={deployment.id} project={deployment.project} />
          <FeedbackPanel deployment={deployment} />
          <TruthPanel deployment={deployment} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
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
