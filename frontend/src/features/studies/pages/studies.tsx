import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatMetric } from '../../../charts/format/format'
import { useProject, useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import type { Column } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { useStudies } from '../api/get-studies'
import type { Study } from '../api/types'
import { endedTrials, shownState } from '../model/study-facts'

/** All studies of the project, newest first. */
export function Component() {
  const { t } = useTranslation('studies')
  const project = useProjectId()
  const hasVersion = (useProject().data?.counts.versions ?? 0) > 0
  const canStart = useHasRole('engineer')
  const studies = useStudies(project)
  const columns = useColumns()
  const start = canStart && hasVersion && (
    <Button component={Link} to="new" leftSection={<IconPlus size={16} />}>
      {t('start')}
    </Button>
  )
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      create={start}
      query={studies}
      columns={columns}
      empty={
        <EmptyState
          drawing="train"
          title={t(hasVersion ? 'empty_title' : 'no_version_title')}
          action={
            hasVersion ? (
              start
            ) : (
              <Button component={Link} to={`/projects/${project}/versions`}>
                {t('to_versions')}
              </Button>
            )
          }
        >
          {t(hasVersion ? 'empty_text' : 'no_version_text')}
        </EmptyState>
      }
    />
  )
}

function useColumns(): Column<Study>[] {
  const { t } = useTranslation('studies')
  return [
    {
      key: 'name',
      title: t('column.name'),
      render: (study) => (
        <>
          <b>{study.name || t('name')}</b>
          <Text size="xs" c="dimmed">
            {t(`strategy.${study.strategy}`, study.strategy)}
          </Text>
        </>
      ),
    },
    { key: 'state', title: t('column.state'), width: 130, render: (study) => <StateBadge state={shownState(study)} /> },
    {
      key: 'best',
      title: t('column.best'),
      width: 150,
      align: 'right',
      render: (study) => (
        <>
          {formatMetric(study.objective.name, study.best_value)}
          {study.best_interval && (
            <Text size="xs" c="dimmed">
              {study.best_interval.map((end) => formatMetric(study.objective.name, end)).join(' – ')}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'trials',
      title: t('column.trials'),
      width: 110,
      align: 'right',
      render: (study) => t('detail.progress', { done: endedTrials(study.counts), total: study.max_trials }),
    },
    {
      key: 'started',
      title: t('column.started'),
      width: 150,
      render: (study) => (
        <Text size="sm" c="dimmed">
          <RelativeTime value={study.created_at} />
        </Text>
      ),
    },
  ]
}
