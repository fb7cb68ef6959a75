import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { useDevices } from '../api/devices'
import { AddDeviceDialog } from '../components/add-device-dialog'
import { AttachmentNotices } from '../components/attachment-notices'
import { useDeviceColumns } from '../components/device-columns'
import { RolloutBanner } from '../components/rollout-banner'
import { RolloutDialog } from '../components/rollout-dialog'

/** The devices that joined the project: how they are, what they serve, and what they are to serve. */
export function Component() {
  const { t } = useTranslation('devices')
  const project = useProjectId()
  const devices = useDevices(project)
  const canChange = useHasRole('engineer')
  const [isAdding, adding] = useDisclosure()
  const [isRollingOut, rollingOut] = useDisclosure()
  const rows = devices.data?.pages.flatMap((page) => page.items) ?? []
  const add = canChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={adding.open}>
      {t('add.button')}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t('title')}
        lead={t('lead')}
        actions={
          canChange &&
          rows.length > 0 && (
            <Button variant="default" onClick={rollingOut.open}>
              {t('rollout.button')}
            </Button>
          )
        }
        create={add}
        query={devices}
        columns={useDeviceColumns(canChange)}
        isOpened={false}
        above={
          <>
            <RolloutBanner project={project} canChange={canChange} />
            <AttachmentNotices project={project} canChange={canChange} />
          </>
        }
        empty={
          <EmptyState drawing="devices" title={t('empty_title')} action={add}>
            {t('empty_text')}
          </EmptyState>
        }
      />
      {isAdding && <AddDeviceDialog project={project} devices={rows} onClose={adding.close} />}
      {isRollingOut && <RolloutDialog project={project} devices={rows} onClose={rollingOut.close} />}
    </>
  )
}
