import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconArrowsMinimize } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useFailureText } from '../../../lib/failure-text'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Progress } from '../../../ui/progress'
import { useCancelCompression, useCompressions } from '../api/compressions'
import type { Artefact, Compression } from '../api/types'
import { isRunning } from '../model/compression'
import { CompressionForm } from './compression-form'
import { CompressionFront } from './compression-front'

/** How a model is compressed: a budget, what was tried, and one press to keep a candidate. */
export function CompressionTab({ artefact }: { artefact: Artefact }) {
  const { t } = useTranslation('models')
  const canWrite = useHasRole('engineer')
  const compressions = useCompressions(artefact.id, artefact.compresses)
  if (!artefact.compresses) {
    return <EmptyState title={t(artefact.compressed ? 'compression.is_compressed' : 'compression.no_method')} />
  }
  if (compressions.isPending) return <LoadingState rows={3} />
  if (compressions.isLoadingError) return <ErrorState error={compressions.error} onRetry={() => void compressions.refetch()} />
  const newest = compressions.data[0]
  const measured = compressions.data.find(({ found }) => found)
  return (
    <Stack>
      {canWrite && (
        <CompressionForm artefact={artefact.id} isRunning={newest ? isRunning(newest) : false} canTrain={artefact.compresses_by_training} />
      )}
      {newest && <Work artefact={artefact.id} compression={newest} />}
      {measured?.found && <CompressionFront artefact={artefact} compression={measured} compared={measured.found} />}
      {!newest && (
        <EmptyState icon={<IconArrowsMinimize size={40} stroke={1.2} />} title={t('compression.empty_title')}>
          {t('compression.empty_text')}
        </EmptyState>
      )}
    </Stack>
  )
}

/** How far the newest try is, or why it failed. */
function Work({ artefact, compression }: { artefact: string; compression: Compression }) {
  const { t } = useTranslation('models')
  const failureText = useFailureText()
  const canWrite = useHasRole('engineer')
  const cancel = useCancelCompression(artefact)
  const { job } = compression
  if (job?.error) {
    const failure = failureText(job.error)
    return (
      <Alert color="red" variant="light" title={failure.message}>
        {failure.hint}
      </Alert>
    )
  }
  if (!job || !isRunning(compression)) return null
  return (
    <Group wrap="nowrap" align="flex-end">
      <div style={{ flex: 1 }}>
        <Progress
          fraction={job.progress_fraction}
          label={job.stage ? t(`jobs:stage.${job.stage}`) : t('common:state.queued')}
          remainingSeconds={job.remaining_s}
        />
      </div>
      {canWrite && (
        <Button size="xs" variant="default" disabled={job.is_stopping} loading={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
          {t('common:cancel')}
        </Button>
      )}
    </Group>
  )
}
