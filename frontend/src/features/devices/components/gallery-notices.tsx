import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { notifyDone } from '../../../ui/notify'
import { useGalleriesBehind, useUpdateGallery } from '../api/devices'

/** Galleries that have changed since devices got them, each with the way to bring it there. */
export function GalleryNotices({ project, canChange }: { project: string; canChange: boolean }) {
  const { t } = useTranslation('devices')
  const behind = useGalleriesBehind(project).data ?? []
  const update = useUpdateGallery(project)
  const send = (gallery: string, name: string) =>
    afterMutation(update.mutateAsync({ gallery }), () => notifyDone(t('gallery.sent', { name })))
  return behind.map(({ gallery, name, num_devices, artefact }) => (
    <Alert key={gallery} mb="md" color="accent" title={t('gallery.behind_title', { name })}>
      <Group justify="space-between">
        <Text size="sm">
          {t('gallery.behind', { count: num_devices })} {artefact && t('gallery.with_model', { number: artefact.number })}
        </Text>
        {canChange && (
          <Button size="xs" loading={update.isPending} onClick={() => void send(gallery, name)}>
            {t('gallery.send')}
          </Button>
        )}
      </Group>
    </Alert>
  ))
}
