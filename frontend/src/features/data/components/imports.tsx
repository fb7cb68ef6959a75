import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Upload } from '../../../lib/api/types'
import { useFailureText } from '../../../lib/failure-text'
import { useLocalText } from '../../../lib/local-text'
import { useMe } from '../../../lib/session/session'
import { Progress } from '../../../ui/progress'
import { useJob } from '../api/get-job'
import { useDropUpload, useRejects, useUploads } from '../api/get-uploads'
import { failedUpload } from '../model/failed-uploads'

type Import = Upload & { job: string }

/** Archives that have arrived and are being read: what was sent is not yet what is there. Of mine, those too that failed. */
export function Imports({ dataset }: { dataset: string }) {
  const { t } = useTranslation('data')
  const me = useMe().data?.id
  const uploads = (useUploads(dataset).data?.pages[0]?.items ?? []).filter((upload): upload is Import => upload.job !== null)
  const importing = uploads.filter(({ state }) => state === 'ingesting')
  // Of what came in part something can be done as long as it is an archive: it is read again.
  const failed = uploads.filter(
    ({ state, created_by, num_items, kind }) => state === 'failed' && created_by.id === me && (num_items === 0 || kind === 'archive'),
  )
  const vain = failedUpload(uploads[0], me)
  return (
    <>
      {importing.length > 0 && (
        <Paper mb="md" role="region" aria-label={t('imports.title')}>
          <Stack gap="xs">
            {importing.map((upload) => (
              <Running key={upload.id} upload={upload} />
            ))}
          </Stack>
        </Paper>
      )}
      {failed.map((upload) => (
        <Failed key={upload.id} upload={upload} />
      ))}
      {vain && <Vain key={vain.id} upload={vain} />}
    </>
  )
}

function Running({ upload }: { upload: Import }) {
  const { t } = useTranslation('data')
  const job = useJob(upload.job).data
  return (
    <Progress
      label={t('imports.one', { name: upload.name })}
      fraction={job?.progress_fraction ?? 0}
      remainingSeconds={job?.remaining_s ?? null}
    />
  )
}

function Failed({ upload }: { upload: Import }) {
  const { t } = useTranslation('data')
  const failureText = useFailureText()
  const error = useJob(upload.job).data?.error
  const drop = useDropUpload(upload.dataset)
  const failure = error ? failureText(error) : null
  return (
    <Alert mb="md" color="red" icon={<IconAlertTriangle size={18} />} title={t('imports.failed', { name: upload.name })}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{failure ? [failure.message, failure.hint].filter(Boolean).join(' ') : t('imports.stopped')}</Text>
        <Button variant="default" style={{ flex: 'none' }} loading={drop.isPending} onClick={() => drop.mutate(upload)}>
          {t(upload.num_items > 0 ? 'imports.again' : 'unfinished.drop')}
        </Button>
      </Group>
    </Alert>
  )
}

const SHOWN = 3

/** What a source was asked for and did not give, with its reasons: the query that a database refused, say. */
function Vain({ upload }: { upload: Upload }) {
  const { t } = useTranslation('data')
  const local = useLocalText()
  const rejects = useRejects(upload.dataset, upload.id).data?.pages[0]?.items ?? []
  const drop = useDropUpload(upload.dataset)
  return (
    <Alert mb="md" color="yellow" icon={<IconAlertTriangle size={18} />} title={t('imports.nothing', { name: upload.name })}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={4} miw={0}>
          {rejects.slice(0, SHOWN).map((reject, index) => (
            <div key={index}>
              <Text size="sm">{local(reject.reason)}</Text>
              {reject.name !== upload.name && (
                <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {reject.name}
                </Text>
              )}
            </div>
          ))}
          {upload.num_rejected > SHOWN && (
            <Text size="xs" c="dimmed">
              {t('staged.more', { count: upload.num_rejected - SHOWN })}
            </Text>
          )}
        </Stack>
        <Button variant="default" style={{ flex: 'none' }} loading={drop.isPending} onClick={() => drop.mutate(upload)}>
          {t('unfinished.drop')}
        </Button>
      </Group>
    </Alert>
  )
}
