import { Alert, Button, Group, Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useFailureText } from '../../../lib/failure-text'
import { Progress } from '../../../ui/progress'
import { type Gallery, isSwitching, useCancelSwitch, useFollowModel } from '../api/galleries'

interface ModelSwitchProps {
  gallery: Gallery
  canChange: boolean
}

/** Says that the deployment has another model, and brings the gallery to it. */
export function ModelSwitch({ gallery, canChange }: ModelSwitchProps) {
  const { t } = useTranslation('galleries')
  const follow = useFollowModel(gallery.id)
  const cancel = useCancelSwitch()
  const failureText = useFailureText()
  const { job, next_artefact: next } = gallery
  if (job && isSwitching(gallery)) {
    return (
      <Paper>
        <Group wrap="nowrap" align="flex-end">
          <Progress fraction={job.progress_fraction} label={t('switch.running')} remainingSeconds={job.remaining_s} />
          {canChange && (
            <Button variant="default" size="xs" loading={cancel.isPending || job.is_stopping} onClick={() => cancel.mutate(job.id)}>
              {t('common:cancel')}
            </Button>
          )}
        </Group>
      </Paper>
    )
  }
  if (!next) return null
  const failure = job?.error ? failureText(job.error) : null
  return (
    <Alert color={failure ? 'red' : 'yellow'} title={failure?.message ?? t('switch.title', { number: next.number })}>
      <Group justify="space-between">
        {failure?.hint ?? t('switch.text')}
        {canChange && (
          <Button size="xs" loading={follow.isPending} onClick={() => follow.mutate()}>
            {t('switch.start')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
