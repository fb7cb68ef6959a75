import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { ModelSelect } from '../../../ui/model-select'
import { notifyDone } from '../../../ui/notify'
import { type Device, useAssignModel } from '../api/devices'

/** A model for one device. */
export function AssignDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices')
  const [artefact, setArtefact] = useState(device.assigned?.id ?? device.artefact?.id ?? '')
  const [allows, setAllows] = useState(false)
  const assign = useAssignModel(device.id)
  const submit = () =>
    afterMutation(assign.mutateAsync({ artefact, allows_other_labels: allows }, { onSuccess: onClose }), () =>
      notifyDone(t('assign.done', { name: device.name })),
    )
  return (
    <Modal opened onClose={onClose} title={t('assign.title', { name: device.name })}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('assign.text')}
        </Text>
        <ModelSelect project={device.project} value={artefact} onChange={setArtefact} />
        <Checkbox label={t('allows_other_labels')} checked={allows} onChange={(event) => setAllows(event.currentTarget.checked)} />
        {assign.isError && <ErrorState error={assign.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={assign.isPending} disabled={!artefact} onClick={() => void submit()}>
            {t('assign.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
