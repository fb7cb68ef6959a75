import { Alert, Button, Group, Paper } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useFailureText } from '../../../lib/failure-text'
import { Progress } from '../../../ui/progress'
import { isProfiling } from '../../../lib/table/profile'
import type { Profile } from '../api/types'

interface ProfileStateProps {
  profile: Profile
  canRun: boolean
  /** It will be done by itself as soon as the rows are labelled. */
  isDue: boolean
  isBusy: boolean
  onRun: () => void
}

/** How far looking at the columns is, why it failed, or that it should be done again. */
export function ProfileState({ profile, canRun, isDue, isBusy, onRun }: ProfileStateProps) {
  const { t } = useTranslation('columns')
  const failureText = useFailureText()
  const { job, is_stale } = profile
  if (job && isProfiling(profile)) {
    return (
      <Paper mb="md" py="sm">
        <Progress fraction={job.progress_fraction} remainingSeconds={job.remaining_s} label={t('profile.running')} />
      </Paper>
    )
  }
  const failure = job?.state === 'failed' && job.error ? failureText(job.error) : null
  if (!failure && profile.profile && !is_stale) return null
  const run = canRun && !isDue && (
    <Button variant="default" leftSection={<IconRefresh size={15} />} loading={isBusy} onClick={onRun}>
      {t(profile.profile ? 'profile.again' : 'profile.run')}
    </Button>
  )
  return (
    <Alert mb="md" py="xs" color={failure ? 'red' : 'accent'} variant="light" icon={failure && <IconAlertTriangle size={18} />}>
      <Group justify="space-between">
        <span>
          {failure ? `${failure.message} ${failure.hint}` : t(isDue ? 'profile.due' : profile.profile ? 'profile.stale' : 'profile.none')}
        </span>
        {run}
      </Group>
    </Alert>
  )
}
