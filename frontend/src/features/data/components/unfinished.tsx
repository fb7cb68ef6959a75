import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { formatBytes } from '../../../lib/format'
import { useMe } from '../../../lib/session/session'
import { useDropUpload, useUploads } from '../api/get-uploads'

/** Uploads of mine that a reload broke off: the browser forgets the files, the server keeps what it has of them. */
export function Unfinished({ dataset }: { dataset: string }) {
  const { t } = useTranslation('data')
  const me = useMe().data?.id
  const drop = useDropUpload(dataset)
  const uploads = useUploads(dataset).data?.pages[0]?.items ?? []
  const broken = uploads.filter((upload) => upload.state === 'receiving' && upload.created_by.id === me)
  return broken.map((upload) => {
    const isMany = upload.kind === 'batch'
    const arrived = { received: formatBytes(upload.received_bytes), size: formatBytes(upload.size_bytes), count: upload.num_items }
    return (
      <Alert
        key={upload.id}
        mb="md"
        color="yellow"
        icon={<IconPlugConnectedX size={18} />}
        title={t('unfinished.title', { name: upload.name })}
      >
        <Group justify="space-between">
          <Text size="sm">{t(isMany ? 'unfinished.many' : 'unfinished.text', arrived)}</Text>
          <Button variant="default" loading={drop.isPending} onClick={() => drop.mutate(upload)}>
            {t(isMany && upload.num_items > 0 ? 'unfinished.keep' : 'unfinished.drop')}
          </Button>
        </Group>
      </Alert>
    )
  })
}
