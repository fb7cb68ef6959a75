import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { useRollouts } from '../api/traffic'
import type { Deployment } from '../api/types'
import { ModelComparison } from './model-comparison'
import { RolloutDialog } from './rollout-dialog'
import { RolloutHistory } from './rollout-history'
import { RolloutPanel } from './rollout-panel'
import { TrafficForm } from './traffic-form'

/** Which models answer, how they compare, and whether one takes over by itself. */
export function TrafficSection({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const canChange = useHasRole('engineer')
  const rollouts = useRollouts(deployment.id)
  const [isStarting, starting] = useDisclosure()
  const running = rollouts.data?.find((each) => each.state === 'running')
  const ended = rollouts.data?.filter((each) => each.state !== 'running') ?? []
  const isShared = deployment.models.length > 1 || deployment.shadow !== null
  return (
    <Section
      title={t('traffic.title')}
      help={t('traffic.help')}
      actions={
        canChange &&
        rollouts.data &&
        !running && (
          <Button size="xs" variant="default" flex="none" onClick={starting.open}>
            {t('rollout.start')}
          </Button>
        )
      }
    >
      <Stack>
        {rollouts.isPending && <LoadingState rows={1} />}
        {rollouts.isLoadingError && <ErrorState error={rollouts.error} onRetry={() => void rollouts.refetch()} />}
        {running && <RolloutPanel deployment={deployment} rollout={running} />}
        <TrafficForm
          key={JSON.stringify([deployment.models.map(({ artefact, share }) => [artefact, share]), deployment.shadow?.artefact])}
          deployment={deployment}
          isLocked={!canChange || running !== undefined}
        />
        {isShared && <ModelComparison deployment={deployment} />}
        {ended.length > 0 && <RolloutHistory project={deployment.project} rollouts={ended} />}
      </Stack>
      {isStarting && <RolloutDialog deployment={deployment} onClose={starting.close} />}
    </Section>
  )
}
