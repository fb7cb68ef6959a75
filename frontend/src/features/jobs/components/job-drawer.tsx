import { Alert, Drawer, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Job } from '../../../lib/api/types'
import { useFailureText, useWarningText } from '../../../lib/failure-text'
import { useLocalText } from '../../../lib/local-text'
import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { useJobLog } from '../api/jobs'

/** Why a job ended as it did, and its log. */
export function JobDrawer({ job, onClose }: { job: Job | null; onClose: () => void }) {
  const text = useLocalText()
  return (
    <Drawer opened={job !== null} onClose={onClose} position="right" size="xl" title={job && text(job.title)}>
      {job && <JobDetail job={job} />}
    </Drawer>
  )
}

function JobDetail({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const log = useJobLog(job)
  const failureText = useFailureText()
  const warningText = useWarningText()
  const failure = job.error && failureText(job.error)
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <StateBadge state={job.is_paused ? 'paused' : job.state} />
        <Text size="sm" c="dimmed">
          {t(`kind.${job.kind}`)} · {t('attempt_of', { attempt: job.attempt, most: job.max_attempts })} ·{' '}
          <RelativeTime value={job.ended_at ?? job.started_at ?? job.created_at} />
        </Text>
      </Group>
      {failure && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title={failure.message}>
          {failure.hint && <Text size="sm">{failure.hint}</Text>}
          <Text size="xs" c="dimmed" ff="monospace">
            {[failure.code, failure.detail].filter(Boolean).join(': ')}
          </Text>
        </Alert>
      )}
      {job.warnings.map((warning) => (
        <Alert key={warning.code + warning.message} color="yellow">
          {warningText(warning)}
        </Alert>
      ))}
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {t('log')}
        </Text>
        {log.data && <CopyButton value={log.data.text} />}
      </Group>
      {log.isPending && <LoadingState rows={8} height={16} />}
      {log.isLoadingError && <ErrorState error={log.error} />}
      {log.data && (
        <ScrollArea.Autosize mah="60vh">
          <Text component="pre" size="xs" ff="monospace" style={{ whiteSpace: 'pre-wrap' }} m={0}>
            {log.data.text || t('log_empty')}
          </Text>
        </ScrollArea.Autosize>
      )}
    </Stack>
  )
}
