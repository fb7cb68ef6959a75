import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useHasRole } from '../../../lib/session/session'
import { afterMutation } from '../../../lib/after-mutation'
import { confirm } from '../../../ui/confirm'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { useChangeDeployment, useDeleteDeployment } from '../api/change-deployment'
import type { Deployment } from '../api/types'
import { ModelSelect } from '../../../ui/model-select'

/** Another model, stop and start, delete. */
export function DeploymentActions({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const navigate = useNavigate()
  const [isSwapping, swapping] = useDisclosure()
  const change = useChangeDeployment(deployment.id)
  const remove = useDeleteDeployment(deployment.id)
  if (!useHasRole('engineer')) return null
  const isStopped = deployment.state === 'stopped'
  const toggle = () =>
    afterMutation(change.mutateAsync({ state: isStopped ? 'running' : 'stopped' }), () =>
      notifyDone(t(isStopped ? 'detail.started' : 'detail.stopped')),
    )
  const askDelete = () =>
    confirm({
      title: t('detail.delete_title', { name: deployment.name }),
      children: t('detail.delete_text'),
      confirm: t('detail.delete'),
      isDangerous: true,
      onConfirm: () =>
        afterMutation(
          remove.mutateAsync(undefined, { onSuccess: () => void navigate(`/projects/${deployment.project}/deployments`) }),
          () => notifyDone(t('detail.deleted')),
        ),
    })
  return (
    <>
      <Button variant="default" onClick={swapping.open}>
        {t('detail.swap')}
      </Button>
      <Button variant="default" loading={change.isPending} onClick={toggle}>
        {t(isStopped ? 'detail.start' : 'detail.stop')}
      </Button>
      <Button variant="default" c="red" loading={remove.isPending} onClick={askDelete}>
        {t('detail.delete')}
      </Button>
      {isSwapping && <SwapDialog deployment={deployment} onClose={swapping.close} />}
    </>
  )
}

function SwapDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const { t } = useTranslation('deployments')
  const [artefact, setArtefact] = useState(deployment.artefact)
  const change = useChangeDeployment(deployment.id, { isErrorShown: true })
  const swap = () => afterMutation(change.mutateAsync({ artefact }, { onSuccess: onClose }), () => notifyDone(t('detail.swapped')))
  return (
    <Modal opened onClose={onClose} title={t('detail.swap_title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('detail.swap_text')}
        </Text>
        <ModelSelect project={deployment.project} value={artefact} onChange={setArtefact} />
        {change.isError && <ErrorState error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={change.isPending} disabled={artefact === deployment.artefact} onClick={swap}>
            {t('detail.swap')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
