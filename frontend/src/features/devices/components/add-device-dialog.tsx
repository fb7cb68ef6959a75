import { Alert, Anchor, Button, Code, Group, List, Loader, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { type Device, useJoinCode } from '../api/devices'

interface AddDeviceDialogProps {
  project: string
  devices: readonly Device[]
  onClose: () => void
}

/** How a device joins: the bundle, then one command with a code that is shown this once. */
export function AddDeviceDialog({ project, devices, onClose }: AddDeviceDialogProps) {
  const { t } = useTranslation('devices')
  const code = useJoinCode(project)
  const joined = code.data && devices.find(({ created_at }) => Date.parse(created_at) > code.submittedAt)
  return (
    <Modal opened onClose={onClose} title={t('add.title')} size="lg">
      <Stack>
        <List type="ordered" spacing="xs" size="sm">
          <List.Item>
            {t('add.bundle')}{' '}
            <Anchor component={Link} to={`/projects/${project}/models`} size="sm">
              {t('add.to_models')}
            </Anchor>
          </List.Item>
          <List.Item>{t('add.join')}</List.Item>
          <List.Item>{t('add.run')}</List.Item>
        </List>
        {code.isError && <ErrorState error={code.error} />}
        {!code.data && (
          <Group>
            <Button loading={code.isPending} onClick={() => code.mutate()}>
              {t('add.make_code')}
            </Button>
          </Group>
        )}
        {code.data && (
          <>
            <Group wrap="nowrap" align="flex-start">
              <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {code.data.command}
              </Code>
              <CopyButton value={code.data.command} label={t('add.copy')} />
            </Group>
            <Text size="xs" c="dimmed">
              {t('add.code_help')}
            </Text>
            {joined ? (
              <Alert color="teal">{t('add.joined', { name: joined.name })}</Alert>
            ) : (
              <Group gap="xs">
                <Loader size="xs" />
                <Text size="sm" c="dimmed" role="status">
                  {t('add.waiting')}
                </Text>
              </Group>
            )}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
