import { Paper, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Upload } from '../../../lib/api/types'
import { Progress } from '../../../ui/progress'
import { useJob } from '../api/get-job'
import { useUploads } from '../api/get-uploads'

/** Archives that have arrived and are being read: what was sent is not yet what is there. */
export function Imports({ dataset }: { dataset: string }) {
  const { t } = useTranslation('data')
  const uploads = useUploads(dataset).data?.pages[0]?.items ?? []
  const importing = uploads.flatMap(({ state, job, ...upload }) => (state === 'ingesting' && job ? [{ ...upload, job }] : []))
  if (!importing.length) return null
  return (
    <Paper mb="md" role="region" aria-label={t('imports.title')}>
      <Stack gap="xs">
        {importing.map((upload) => (
          <Import key={upload.id} upload={upload} />
        ))}
      </Stack>
    </Paper>
  )
}

function Import({ upload }: { upload: Pick<Upload, 'name'> & { job: string } }) {
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
