import { Box, Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatNumber } from '../../../lib/format'
import { useProject, useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import type { Column } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { Progress } from '../../../ui/progress'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { useRuns } from '../api/get-predictions'
import type { Run } from '../api/types'
import { useSourceWords } from '../components/use-source-words'
import { isRunning } from '../model/run-state'

/** All batch predictions of the project, newest first. */
export function Component() {
  const { t } = useTranslation('predictions')
  const project = useProjectId()
  const hasModel = (useProject().data?.counts.artefacts ?? 0) > 0
  const canStart = useHasRole('labeller')
  const runs = useRuns(project)
  const columns = useColumns()
  const start = canStart && hasModel && (
    <Button component={Link} to="new" leftSection={<IconPlus size={16} />}>
      {t('start')}
    </Button>
  )
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      create={start}
      query={runs}
      columns={columns}
      empty={
        <EmptyState
          drawing="batch"
          title={t(hasModel ? 'empty_title' : 'no_model_title')}
          action={
            hasModel ? (
              start
            ) : (
              <Button component={Link} to={`/projects/${project}/studies`}>
                {t('to_studies')}
              </Button>
            )
          }
        >
          {t(hasModel ? 'empty_text' : 'no_model_text')}
        </EmptyState>
      }
    />
  )
}

function useColumns(): Column<Run>[] {
  const { t } = useTranslation('predictions')
  const sourceWords = useSourceWords()
  return [
    {
      key: 'source',
      title: t('column.source'),
      render: (run) => (
        <Box maw={360}>
          <Text size="sm" fw={600} truncate title={sourceWords(run)}>
            {sourceWords(run)}
          </Text>
          <Text size="xs" c="dimmed">
            {run.artefact ? t('model', { number: run.artefact.number }) : t('model_gone')}
          </Text>
        </Box>
      ),
    },
    {
      key: 'state',
      title: t('column.state'),
      width: 220,
      render: (run) =>
        run.job &&
        (isRunning(run) && run.job.state === 'running' ? (
          <Progress fraction={run.job.progress_fraction} label={t('common:state.running')} remainingSeconds={run.job.remaining_s} />
        ) : (
          <StateBadge state={run.job.state} />
        )),
    },
    { key: 'results', title: t('column.results'), width: 110, align: 'right', render: (run) => formatNumber(run.num_results) },
    {
      key: 'failed',
      title: t('column.failed'),
      width: 100,
      align: 'right',
      render: (run) => (run.num_failed > 0 ? <Text c="red">{formatNumber(run.num_failed)}</Text> : '–'),
    },
    {
      key: 'started',
      title: t('column.started'),
      width: 160,
      render: (run) => (
        <>
          <RelativeTime value={run.created_at} />
          <Text size="xs" c="dimmed" truncate>
            {run.created_by.name}
          </Text>
        </>
      ),
    },
  ]
}
