import { ActionIcon, Box, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Job } from '../../../lib/api/types'
import { useFailureText } from '../../../lib/failure-text'
import { formatSeconds } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import { useHasRole } from '../../../lib/session/session'
import { type Column, DataTable } from '../../../ui/data-table'
import { Progress } from '../../../ui/progress'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { isEnded, useCancelJob } from '../api/jobs'

/** One line a job. */
export function JobTable({ jobs, onOpen }: { jobs: Job[]; onOpen: (job: Job) => void }) {
  const { t } = useTranslation('jobs')
  const text = useLocalText()
  const cancel = useCancelJob()
  const canCancel = useHasRole('engineer')
  const columns: Column<Job>[] = [
    { key: 'title', title: t('job'), render: (job) => <JobTitle job={job} /> },
    { key: 'state', title: t('state'), width: 110, render: (job) => <StateBadge state={job.is_paused ? 'paused' : job.state} /> },
    { key: 'progress', title: t('progress'), width: 260, render: (job) => <JobProgress job={job} /> },
    { key: 'created', title: t('created'), width: 130, render: (job) => <RelativeTime value={job.created_at} /> },
    {
      key: 'cancel',
      title: '',
      width: 48,
      align: 'right',
      render: (job) =>
        canCancel &&
        !isEnded(job) && (
          <Tooltip label={t('common:cancel')}>
            <ActionIcon
              aria-label={t('cancel_named', { title: text(job.title) })}
              disabled={job.is_stopping}
              onClick={(event) => {
                event.stopPropagation()
                cancel.mutate(job.id)
              }}
            >
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        ),
    },
  ]
  return <DataTable caption={t('title')} columns={columns} rows={jobs} rowKey={(job) => job.id} onRowClick={onOpen} />
}

function JobTitle({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const text = useLocalText()
  const failureText = useFailureText()
  return (
    <Box>
      <Text size="sm" fw={500}>
        {text(job.title)}
      </Text>
      <Text size="xs" c={job.error ? 'red' : 'dimmed'} lineClamp={1}>
        {job.error ? failureText(job.error).message : t(`kind.${job.kind}`)}
      </Text>
    </Box>
  )
}

function JobProgress({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  if (isEnded(job)) {
    const took = job.started_at && job.ended_at && formatSeconds(Math.ceil((Date.parse(job.ended_at) - Date.parse(job.started_at)) / 1000))
    return (
      <Text size="xs" c="dimmed">
        {[took && t('took', { time: took }), job.attempt > 1 && t('attempts', { count: job.attempt })].filter(Boolean).join(' · ')}
      </Text>
    )
  }
  if (job.state === 'queued' && !job.is_stopping && job.num_before != null)
    return (
      <Text size="xs" c="dimmed">
        {t('before', { count: job.num_before })}
      </Text>
    )
  const label = job.is_stopping ? t('stopping') : job.stage ? t(`stage.${job.stage}`, { defaultValue: job.stage }) : ''
  return <Progress fraction={job.progress_fraction} label={label} remainingSeconds={job.remaining_s} isMoving={job.state === 'running'} />
}
