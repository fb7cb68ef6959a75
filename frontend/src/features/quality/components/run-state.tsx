import { Alert, Button, Group, Paper } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Job } from '../../../lib/api/types'
import { useFailureText } from '../../../lib/failure-text'
import { Progress } from '../../../ui/progress'
import { isRunning, useCancelQuality } from '../api/quality'

/** How far the check is, or why it ended without a report. */
export function RunState({ job, canAct }: { job: Job; canAct: boolean }) {
  const { t } = useTranslation('quality')
  const failureText = useFailureText()
  const cancel = useCancelQuality()
  if (isRunning(job)) {
    return (
      <Paper mb="md">
        <Group wrap="nowrap" align="flex-end">
          <div style={{ flex: 1, minWidth: 0 }}>
            <Progress
              fraction={job.progress_fraction}
              remainingSeconds={job.remaining_s}
              label={t(`stage.${job.stage || 'waiting'}`, { defaultValue: t('stage.waiting') })}
            />
          </div>
          {canAct && (
            <Button variant="default" disabled={job.is_stopping} loading={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
              {t('common:cancel')}
            </Button>
          )}
        </Group>
      </Paper>
    )
  }
  if (job.state !== 'failed' || !job.error) return null
  const { message, hint } = failureText(job.error)
  return (
    <Alert mb="md" color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={t('failed')}>
      {message} {hint}
    </Alert>
  )
}
