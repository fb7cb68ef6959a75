import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { type Device, useAssignModel } from '../api/devices'
import { useShipment } from './use-shipment'

/** A model for one device. */
export function AssignDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices')
  const { body, fields } = useShipment(device.project, {
    artefact: device.assigned?.id ?? device.artefact?.id ?? '',
    gallery: (device.assigned ? device.assigned_gallery : device.attached.find(({ kind }) => kind === 'gallery'))?.id ?? null,
  })
  const assign = useAssignModel(device.id)
  const submit = () =>
    afterMutation(assign.mutateAsync(body, { onSuccess: onClose }), () => notifyDone(t('assign.done', { name: device.name })))
  return (
    <Modal opened onClose={onClose} title={t('assign.title', { name: device.name })}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('assign.text')}
        </Text>
        {fields}
        {assign.isError && <ErrorState error={assign.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={assign.isPending} disabled={!body.artefact} onClick={() => void submit()}>
            {t('assign.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
