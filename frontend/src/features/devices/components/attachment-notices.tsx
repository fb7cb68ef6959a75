import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { notifyDone } from '../../../ui/notify'
import { useAttachmentsBehind, useUpdateAttachment } from '../api/devices'

/** What has changed since devices got it, each with the way to bring it there. */
export function AttachmentNotices({ project, canChange }: { project: string; canChange: boolean }) {
  const { t } = useTranslation('devices')
  const behind = useAttachmentsBehind(project).data ?? []
  const update = useUpdateAttachment(project)
  const send = (kind: string, id: string | null, name: string | null) =>
    afterMutation(update.mutateAsync({ kind, id }), () => notifyDone(t(`attached.${kind}.sent`, { name })))
  return behind.map(({ kind, id, name, num_devices, artefact }) => (
    <Alert key={`${kind}:${id}`} mb="md" color="accent" title={t(`attached.${kind}.behind_title`, { name })}>
      <Group justify="space-between">
        <Text size="sm">
          {t(`attached.${kind}.behind`, { count: num_devices })} {artefact && t(`attached.${kind}.with_model`, { number: artefact.number })}
        </Text>
        {canChange && (
          <Button size="xs" loading={update.isPending} onClick={() => void send(kind, id, name)}>
            {t('send')}
          </Button>
        )}
      </Group>
    </Alert>
  ))
}
