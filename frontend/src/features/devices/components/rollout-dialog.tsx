import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { type Device, useStartRollout } from '../api/devices'
import { useShipment } from './use-shipment'

interface RolloutDialogProps {
  project: string
  devices: readonly Device[]
  onClose: () => void
}

const ALL = 'all'

/** A model for all devices: at once, or after one of them. */
export function RolloutDialog({ project, devices, onClose }: RolloutDialogProps) {
  const { t } = useTranslation('devices')
  const { body, fields } = useShipment(project, { artefact: '', gallery: null })
  const [first, setFirst] = useState(devices.find(({ state }) => state === 'online')?.id ?? ALL)
  const start = useStartRollout(project, true)
  const submit = () =>
    afterMutation(start.mutateAsync({ ...body, first: first === ALL ? null : first }, { onSuccess: onClose }), () =>
      notifyDone(t('rollout.started')),
    )
  return (
    <Modal opened onClose={onClose} title={t('rollout.title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('rollout.text')}
        </Text>
        {fields}
        <Select
          label={t('rollout.first')}
          description={t('rollout.first_help')}
          allowDeselect={false}
          value={first}
          data={[...devices.map(({ id, name }) => ({ value: id, label: name })), { value: ALL, label: t('rollout.all_at_once') }]}
          onChange={(chosen) => chosen && setFirst(chosen)}
        />
        {start.isError && <ErrorState error={start.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={start.isPending} disabled={!body.artefact} onClick={() => void submit()}>
            {t('rollout.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
