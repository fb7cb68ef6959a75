import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconMessageReply, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { confirm } from '../../../ui/confirm'
import { notifyDone } from '../../../ui/notify'
import { type Device, useChangeDevice, useRemoveDevice } from '../api/devices'
import { AssignDialog } from './assign-dialog'

/** Another model, inputs back, removal. */
export function DeviceActions({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const [isAssigning, assigning] = useDisclosure()
  const change = useChangeDevice(device.id)
  const remove = useRemoveDevice(device.id)
  const toggleInputs = () => afterMutation(change.mutateAsync({ sends_inputs: !device.sends_inputs }), () => notifyDone(t('changed')))
  const askInputs = () =>
    device.sends_inputs
      ? toggleInputs()
      : confirm({ title: t('inputs.title'), children: t('inputs.text'), confirm: t('inputs.on'), onConfirm: toggleInputs })
  const askRemove = () =>
    confirm({
      title: t('remove.title', { name: device.name }),
      children: t('remove.text'),
      confirm: t('remove.button'),
      isDangerous: true,
      onConfirm: () => afterMutation(remove.mutateAsync(undefined), () => notifyDone(t('remove.done'))),
    })
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={t('actions', { name: device.name })} loading={change.isPending || remove.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={assigning.open}>
            {t('assign.button')}
          </Menu.Item>
          <Menu.Item leftSection={<IconMessageReply size={16} />} onClick={() => void askInputs()}>
            {t(device.sends_inputs ? 'inputs.off' : 'inputs.on')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={askRemove}>
            {t('remove.button')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAssigning && <AssignDialog device={device} onClose={assigning.close} />}
    </>
  )
}
