import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Upload } from '../../../lib/api/types'
import { useFailureText } from '../../../lib/failure-text'
import { useMe } from '../../../lib/session/session'
import { Progress } from '../../../ui/progress'
import { useForgetOrder, useOrdered } from '../api/collect'
import { useJob } from '../api/get-job'
import { useDropUpload, useUploads } from '../api/get-uploads'
import { failedUpload } from '../model/failed-uploads'
import { Arrived } from './arrived'
import { LeftOut } from './left-out'

type Import = Upload & { job: string }

/** Of the job that brings examples, the part until they are there. */
const BROUGHT = 0.7

interface ImportsProps {
  dataset: string
  /** Opens the list of uploads. */
  onExplain: () => void
  /** Shows the field for more files. */
  onMore: () => void
}

/**
 * Archives that have arrived and are being read: what was sent is not yet what is there. Of mine, those too that failed, and those
 * that the server fetched and read while I was here.
 */
export function Imports({ dataset, onExplain, onMore }: ImportsProps) {
  const { t } = useTranslation('data')
  const ordered = useOrdered(dataset)
  const forget = useForgetOrder(dataset)
  const me = useMe().data?.id
  const uploads = (useUploads(dataset).data?.pages[0]?.items ?? []).filter((upload): upload is Import => upload.job !== null)
  const importing = uploads.filter(({ state }) => state === 'ingesting')
  // Of what came in part something can be done as long as it is an archive: it is read again.
  const failed = uploads.filter(
    ({ state, created_by, num_items, kind }) => state === 'failed' && created_by.id === me && (num_items === 0 || kind === 'archive'),
  )
  const vain = failedUpload(uploads[0], me)
  const arrived = uploads.filter(({ id, state }) => state === 'done' && id !== vain?.id && ordered.includes(id))
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
      {arrived.map((upload) => (
        <Paper key={upload.id} mb="md" role="region" aria-label={t('imports.done', { name: upload.name })}>
          <Stack gap="xs">
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600}>{t('imports.done', { name: upload.name })}</Text>
              <Button variant="default" flex="none" onClick={() => forget(upload.id)}>
                {t('queue.clear')}
              </Button>
            </Group>
            <Arrived uploads={[upload]} onExplain={onExplain} onMore={onMore} />
          </Stack>
        </Paper>
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
      label={t(job?.kind === 'examples' && job.progress_fraction < BROUGHT ? 'imports.fetching' : 'imports.one', { name: upload.name })}
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

/** What could not be fetched from a source, with reasons, e.g. the error of a database query. */
function Vain({ upload }: { upload: Upload }) {
  const { t } = useTranslation('data')
  const drop = useDropUpload(upload.dataset)
  return (
    <Alert mb="md" color="yellow" icon={<IconAlertTriangle size={18} />} title={t('imports.nothing', { name: upload.name })}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <LeftOut upload={upload} />
        <Button variant="default" style={{ flex: 'none' }} loading={drop.isPending} onClick={() => drop.mutate(upload)}>
          {t('unfinished.drop')}
        </Button>
      </Group>
    </Alert>
  )
}
